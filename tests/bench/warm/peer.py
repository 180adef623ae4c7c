"""The peer: the same two endpoints as FastAPI's users write them, over the same store, ledger and encoder.

Its key is looked up once, as the gateway looks one up once a minute; uvicorn logs a line a call, as the
gateway does.
"""

from __future__ import annotations

import uuid
from functools import cache
from typing import Annotated, Any

from fastapi import FastAPI, Header, HTTPException, Response
from pydantic import BaseModel, ConfigDict

import brcode
from brskills_server.accounts.account import Caller
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import InvalidKey
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.ledger import Ledger
from brskills_server.skills.pix.fields import PIX_FIELDS, PUBLIC_NAMES
from brskills_server.web.response import rate_headers
from tests.bench.warm.instant import open_stores

store = open_stores(None).access
accounts, ledger = Accounts(store, None), Ledger(store, 20)
app = FastAPI()
Key = Annotated[str, Header(alias="X-API-Key")]


class PixRequest(BaseModel):
    """What goes into the code."""

    model_config = ConfigDict(extra="forbid")

    chave: str
    valor: str | None = None
    nome_recebedor: str
    cidade: str
    txid: str | None = None


class Adjustment(BaseModel):
    """What was changed to make a text fit."""

    campo: str
    de: str
    para: str
    motivo: str


class PixCode(BaseModel):
    """The code and what is in it."""

    brcode: str
    tipo: str
    chave: str | None
    tipo_chave: str | None
    valor: str | None
    nome_recebedor: str
    cidade: str
    txid: str | None
    descricao: str | None
    ajustes: list[Adjustment]
    alertas: list[dict[str, str]]


class DecodeRequest(BaseModel):
    """A code."""

    model_config = ConfigDict(extra="forbid")

    brcode: str


class DecodeResult(BaseModel):
    """What is in it."""

    valido: bool
    tipo: str | None
    campos: dict[str, Any]
    erros: list[str]
    alertas: list[str]


FOUND = [field for field in PIX_FIELDS if field.emv_name != "strict"]


@cache
def caller_of(key: str) -> Caller:
    """Who calls; 401 for an unknown key."""
    try:
        return accounts.identify(key)[0]
    except InvalidKey:
        raise HTTPException(401) from None


@app.post("/api/v1/skills/pix")
def create(content: PixRequest, key: Key, response: Response) -> PixCode:
    """Encode, then count the call."""
    try:
        code = brcode.encode(
            key=content.chave,
            amount=content.valor,
            merchant_name=content.nome_recebedor,
            merchant_city=content.cidade,
            txid=content.txid,
        )
        quota = ledger.reserve(caller_of(key)).quota
    except brcode.InvalidCharge as invalid:
        raise HTTPException(422, [issue.code for issue in invalid.issues]) from None
    except QuotaExceeded:
        raise HTTPException(429) from None
    response.headers.update({**_told(), **rate_headers(quota)})
    return PixCode(
        brcode=code.payload,
        tipo=code.kind,
        chave=code.key,
        tipo_chave=code.key_type,
        valor=code.amount,
        nome_recebedor=code.merchant_name,
        cidade=code.merchant_city,
        txid=code.txid,
        descricao=code.description,
        ajustes=[
            Adjustment(
                campo=PUBLIC_NAMES[change.field], de=change.before, para=change.after, motivo=change.reason
            )
            for change in code.adjustments
        ],
        alertas=[],
    )


@app.post("/api/v1/skills/pix/decode")
def decode(content: DecodeRequest, key: Key, response: Response) -> DecodeResult:
    """What is in a code; the key is checked, nothing is counted."""
    ledger.verify(caller_of(key))
    found = brcode.decode(content.brcode)
    values = {field.name: getattr(found.fields, field.emv_name) for field in FOUND}
    response.headers.update(_told())
    return DecodeResult(
        valido=found.valid,
        tipo=found.kind,
        campos={**values, "desconhecidos": []},
        erros=[finding.rule for finding in found.errors],
        alertas=[finding.rule for finding in found.warnings],
    )


def _told() -> dict[str, str]:
    return {"Cache-Control": "no-store", "Vary": "Accept, Accept-Language", "X-Request-Id": str(uuid.uuid4())}
