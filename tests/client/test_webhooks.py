"""The calls about webhooks, by both clients."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from brskills import AsyncClient, Client, DemoKey, ProblemError, UnexpectedAnswer, WebhookLimit
from tests.client.answering import KEY, URL, Service, client, json_answer, problem

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
WEBHOOK = {
    "id": "wh_1", "url": "https://a.example/x", "eventos": ["company.changed"], "descricao": None,
    "ativo": True, "motivo": None, "criado_em": "2026-11-27T04:00:00Z",
}  # fmt: skip
DISABLED = {**WEBHOOK, "ativo": False, "motivo": "pedido", "descricao": "ERP"}
ATTEMPTS = {
    "deliveries": [
        {"id": "msg_2", "tipo": "webhook.test", "tentativa": 2, "em": "2026-11-27T04:00:05Z", "status": None,
         "erro": "timeout", "duracao_ms": 15000},
        {"id": "msg_1", "tipo": "company.changed", "tentativa": 1, "em": "2026-11-27T04:00:00Z",
         "status": 200, "erro": None, "duracao_ms": 12},
    ]
}  # fmt: skip


def answers() -> Service:
    rotated = {**WEBHOOK, "segredo": SECRET, "segredo_anterior_ate": "2026-11-28T04:00:00Z"}
    return Service(
        json_answer({**WEBHOOK, "segredo": SECRET}, 201),
        json_answer({"webhooks": [WEBHOOK, DISABLED]}),
        json_answer(WEBHOOK),
        json_answer(DISABLED),
        json_answer({"id": "msg_9"}, 202),
        json_answer(rotated, 201),
        json_answer(ATTEMPTS),
        httpx.Response(204),
    )


CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("create_webhook", ("https://a.example/x",), {"eventos": ("company.changed",)}),
    ("list_webhooks", (), {}),
    ("read_webhook", ("wh_1",), {}),
    ("change_webhook", ("wh_1",), {"ativo": False, "descricao": None}),
    ("test_webhook", ("wh_1",), {}),
    ("rotate_webhook", ("wh_1",), {}),
    ("webhook_deliveries", ("wh_1",), {}),
    ("delete_webhook", ("wh_1/../x",), {}),
]


def blocking(service: Service) -> list[Any]:
    with Client(KEY, URL, transport=service.transport) as made:
        return [getattr(made, name)(*args, **fields) for name, args, fields in CALLS]


def awaited(service: Service) -> list[Any]:
    async def collect() -> list[Any]:
        async with AsyncClient(KEY, URL, transport=service.transport) as made:
            return [await getattr(made, name)(*args, **fields) for name, args, fields in CALLS]

    return asyncio.run(collect())


@pytest.mark.parametrize("use", [blocking, awaited])
def test_all_calls(use: Any) -> None:
    service = answers()
    created, listed, one, changed, tested, rotated, attempts, deleted = use(service)
    sent = [
        (request.method, request.url.raw_path.decode(), json.loads(request.content or "null"))
        for request in service.requests
    ]
    assert sent == [
        ("POST", "/api/v1/webhooks", {"url": "https://a.example/x", "eventos": ["company.changed"]}),
        ("GET", "/api/v1/webhooks", None),
        ("GET", "/api/v1/webhooks/wh_1", None),
        ("PATCH", "/api/v1/webhooks/wh_1", {"ativo": False, "descricao": None}),
        ("POST", "/api/v1/webhooks/wh_1/test", {}),
        ("POST", "/api/v1/webhooks/wh_1/rotate", {}),
        ("GET", "/api/v1/webhooks/wh_1/deliveries", None),
        ("DELETE", "/api/v1/webhooks/wh_1%2F..%2Fx", None),
    ]
    assert service.idempotency_keys == [None] * len(CALLS)
    assert {request.headers["x-api-key"] for request in service.requests} == {KEY}
    assert (created.segredo, created.segredo_anterior_ate, created.eventos) == (
        SECRET,
        None,
        ("company.changed",),
    )
    assert [webhook.motivo for webhook in listed] == [None, "pedido"]
    assert (one.criado_em, one.descricao) == (datetime(2026, 11, 27, 4, tzinfo=UTC), None)
    assert (changed.ativo, changed.descricao) == (False, "ERP")
    assert (tested, deleted) == ("msg_9", None)
    assert (rotated.segredo, rotated.segredo_anterior_ate.day) == (SECRET, 28)
    assert [(each.id, each.status, each.erro, each.duracao_ms) for each in attempts] == [
        ("msg_2", None, "timeout", 15000),
        ("msg_1", 200, None, 12),
    ]


def test_no_log_gets_the_secret() -> None:
    created = client(json_answer({**WEBHOOK, "segredo": SECRET}, 201)).create_webhook("https://a.example")
    assert SECRET not in repr(created)
    assert "wh_1" in repr(created)


def test_without_events_none_is_sent() -> None:
    service = Service(json_answer({**WEBHOOK, "segredo": SECRET}, 201))
    with Client(KEY, URL, transport=service.transport) as made:
        made.create_webhook("https://a.example", descricao="ERP")
        made.create_webhook("https://a.example", [])
    assert [json.loads(request.content) for request in service.requests] == [
        {"url": "https://a.example", "descricao": "ERP"},
        {"url": "https://a.example", "eventos": []},
    ]


@pytest.mark.parametrize(("name", "args", "fields"), CALLS)
def test_what_would_happen_twice_is_not_repeated(
    name: str, args: tuple[Any, ...], fields: dict[str, Any], waits: list[float]
) -> None:
    service = Service(problem(503, "store_unavailable"))
    with Client(KEY, URL, transport=service.transport, retries=1) as made, pytest.raises(ProblemError):
        getattr(made, name)(*args, **fields)
    once = name in {"create_webhook", "test_webhook", "rotate_webhook"}
    assert len(service.requests) == (1 if once else 2)


def test_refusals_have_classes() -> None:
    with pytest.raises(WebhookLimit):
        client(problem(409, "webhook_limit")).create_webhook("https://a.example")
    with pytest.raises(DemoKey):
        client(problem(403, "demo_key")).create_webhook("https://a.example")
    with pytest.raises(ProblemError) as unknown:
        client(problem(404, "not_found")).read_webhook("wh_1")
    assert unknown.value.code == "not_found"
    with pytest.raises(UnexpectedAnswer):
        client(json_answer({"webhooks": {}})).list_webhooks()
