"""Clients of AWS services by boto3."""

from threading import Lock
from typing import Any, Literal

import boto3
from botocore.awsrequest import AWSResponse
from botocore.config import Config
from botocore.exceptions import IncompleteReadError
from botocore.model import OperationModel

Service = Literal["apigateway", "dynamodb", "lambda", "sqs", "ssm"]

_MAKING = Lock()  # boto3's session, which all clients share, may not make two at once


def aws_client(service: Service, config: Config | None = None) -> Any:
    """Return a client with the environment's region and credentials.

    Raise ``BotoCoreError`` without a region; its requests raise it for a truncated response.
    """
    with _MAKING:
        client: Any = boto3.client(service, config=config)
    client.meta.events.register("after-call", _reject_truncated)
    return client


def _reject_truncated(http_response: AWSResponse, model: OperationModel, **_: Any) -> None:
    """Raise ``IncompleteReadError`` if the connection ended before the response did.

    botocore compares no body with its length and accepts a truncated head; both would read as empty. A body
    that is streamed is compared by who reads it.
    """
    if model.has_streaming_output:
        return
    headers, found = http_response.headers, len(http_response.content)
    length = headers.get("Content-Length", "")
    # The end of chunks is checked elsewhere. Otherwise half a body is not JSON, and an empty one is missing.
    needs_some = model.output_shape is not None and "Transfer-Encoding" not in headers
    least = int(length) if length.isdigit() else int(needs_some)
    if found < least:
        raise IncompleteReadError(actual_bytes=found, expected_bytes=least)
