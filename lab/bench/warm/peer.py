"""The peer: the same endpoint as FastAPI's users write it, over the same store, ledger and encoder.

A key is looked up once, as the gateway looks it up once a minute; uvicorn logs a line a call, as the gateway
does.
"""

import uuid
from functools import cache
from typing import Annotated

from fastapi import FastAPI, Header, HTTPException, Response

import brcode
from brskills_server.accounts.account import Caller
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import InvalidKey
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.ledger import Ledger
from brskills_server.skills.pix.fields import EMV_NAMES, PUBLIC_NAMES
from brskills_server.skills.pix.models import Adjustment, PixCode, PixRequest
from brskills_server.web.response import rate_headers
from lab.bench.warm.instant import open_stores

store = open_stores(None).access
accounts, ledger = Accounts(store, None), Ledger(store, 20)
app = FastAPI()
Key = Annotated[str, Header(alias="X-API-Key")]


@cache
def caller_of(key: str) -> Caller:
    try:
        return accounts.identify(key)[0]
    except InvalidKey:
        raise HTTPException(401) from None


@app.post("/api/v1/skills/pix")
def create(content: PixRequest, key: Key, response: Response) -> PixCode:
    """Encode, then count the call."""
    given = content.model_dump(exclude_none=True)
    try:
        code = brcode.encode(**{EMV_NAMES[name]: given[name] for name in EMV_NAMES.keys() & given})
        quota = ledger.reserve(caller_of(key)).quota
    except brcode.InvalidCharge as invalid:
        raise HTTPException(422, [issue.code for issue in invalid.issues]) from None
    except QuotaExceeded:
        raise HTTPException(429) from None
    response.headers.update({**_headers(), **rate_headers(quota, replayed=False)})
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
            Adjustment(campo=PUBLIC_NAMES[one.field], de=one.before, para=one.after, motivo=one.reason)
            for one in code.adjustments
        ],
        alertas=[],
    )


def _headers() -> dict[str, str]:
    return {"Cache-Control": "no-store", "Vary": "Accept, Accept-Language", "X-Request-Id": str(uuid.uuid4())}
