"""The peer: the Pix route as FastAPI's users write it, one counted call in DynamoDB, behind Mangum."""

import boto3
from aws_lambda_powertools import Logger
from fastapi import FastAPI, Request
from mangum import Mangum
from pydantic import BaseModel

logger = Logger(service="peer")
client = boto3.client("dynamodb")
app = FastAPI()


class PixRequest(BaseModel):
    """What goes into the code."""

    chave: str
    valor: str
    nome_recebedor: str
    cidade: str


class PixCode(BaseModel):
    """The code."""

    brcode: str


@app.post("/api/v1/skills/pix")
def create(content: PixRequest, request: Request) -> PixCode:
    """Count the call; the code itself is left out."""
    account = request.scope["aws.event"]["requestContext"]["authorizer"]["account"]
    client.update_item(
        TableName="Access",
        Key={"pk": {"S": f"ACCOUNT#{account}"}},
        UpdateExpression="ADD #calls :one",
        ExpressionAttributeNames={"#calls": "calls"},
        ExpressionAttributeValues={":one": {"N": "1"}},
        ReturnValues="ALL_NEW",
    )
    logger.info("call")
    return PixCode(brcode=content.chave)


handler = Mangum(app, lifespan="off")
