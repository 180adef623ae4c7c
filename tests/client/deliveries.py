"""Deliveries as the service signs them, with the library of Standard Webhooks, and wrong ones."""

from __future__ import annotations

import base64
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from standardwebhooks.webhooks import Webhook

_random = random.Random(20_261_127)


def new_secret(size: int = 32) -> str:
    return f"whsec_{base64.b64encode(_random.randbytes(size)).decode()}"


SECRET, NEXT_SECRET, OTHER_SECRET = (new_secret() for _ in range(3))
TEST = {"type": "webhook.test", "timestamp": "2026-11-27T04:00:00.123Z", "data": {"webhook": "wh_ção"}}
CHANGED: dict[str, Any] = {
    "type": "company.changed",
    "timestamp": "2026-11-27T04:00:00Z",
    "data": {
        "id": "x-1", "cnpj": "SANDBOX1000170", "referencia": "fornecedor 1", "data_base": "2026-11-10",
        "mudancas": [
            {"data_base": "2026-11-10", "campo": "razao_social", "de": "PÃO", "para": "PÃO E SÃO"}
        ],
    },
}  # fmt: skip
USAGE = {
    "type": "usage.threshold",
    "timestamp": "2026-11-27T04:00:00Z",
    "data": {"mes": "2026-11", "plano": "free", "limite": 100, "chamadas": 80, "percentual": 80},
}


@dataclass(frozen=True)
class Delivery:
    """A request to a receiver: headers and body."""

    headers: dict[str, str]
    body: bytes


def signed(content: Any, *secrets: str, id: str = "msg_1", age: float = 0) -> Delivery:
    """Return a delivery signed with these secrets, of so many seconds ago."""
    body = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    instant = datetime.fromtimestamp(int(time.time() - age), UTC)
    signatures = [Webhook(secret).sign(id, instant, body) for secret in secrets or (SECRET,)]
    headers = {
        "Webhook-Id": id,
        "Webhook-Timestamp": str(int(instant.timestamp())),
        "Webhook-Signature": " ".join(signatures),
    }
    return Delivery(headers, body.encode())


def wrong() -> Iterator[tuple[str, Delivery]]:
    """Yield deliveries that a receiver with ``SECRET`` refuses, with what is wrong."""
    good = signed(CHANGED)
    yield "a changed body", replace(good, body=good.body.replace(b"SANDBOX1000170", b"SANDBOX2000114"))
    yield "white space", replace(good, body=good.body + b" ")
    yield "another id", replace(good, headers={**good.headers, "Webhook-Id": "msg_2"})
    yield "another secret", signed(CHANGED, OTHER_SECRET)
    yield "two other secrets", signed(CHANGED, OTHER_SECRET, NEXT_SECRET)
    yield "old", signed(CHANGED, age=310)
    yield "early", signed(CHANGED, age=-310)
    yield (
        "a renewed old one",
        replace(signed(CHANGED, age=310), headers=good.headers | {"Webhook-Id": "msg_0"}),
    )
    yield "no JSON", signed("{")
    yield "nothing", signed("")
    yield "no event", signed({"type": "webhook.test", "data": {}})
    yield "a list", signed([TEST])
    yield "no UTF-8", replace(good, body=b"\xff" + good.body)
    for name in good.headers:
        yield f"no {name}", replace(good, headers={k: v for k, v in good.headers.items() if k != name})
        yield f"an empty {name}", replace(good, headers={**good.headers, name: ""})
        yield f"a wrong {name}", replace(good, headers={**good.headers, name: "v1,v1,!"})
