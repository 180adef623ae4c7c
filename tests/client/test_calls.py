"""Requests of both clients."""

from __future__ import annotations

import asyncio
import json
import traceback
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills import (
    AsyncClient,
    BrskillsError,
    Client,
    Company,
    CompanyNotFound,
    ConfigurationError,
    UnexpectedAnswer,
    keyfile,
)
from brskills.operations import Operation, Operations
from brskills.settings import LOCAL_URL, NoKey
from brskills_server.skills.catalogue import BATCHES, ROUTES, SKILLS
from brskills_server.web.openapi.account_operations import ACCOUNT_OPERATIONS
from brskills_server.web.openapi.service_operations import SERVICE_OPERATIONS
from tests.client.answering import COMPANY, KEY, URL, Service, client, json_answer, problem
from tests.for_each import for_each

OPERATIONS = {name for name, member in vars(Operations).items() if isinstance(member, Operation)}
CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {name: ((), {}) for name in OPERATIONS} | {
    "create_pix_code": ((), {"chave": "a@example.com", "nome_recebedor": "A", "cidade": "B"}),
    "create_pix_codes": (([{"chave": "a@example.com"}],), {}),
    "decode": (("000201",), {}),
    "conferir": (("000201",), {}),
    "company": (("SANDBOX1000170",), {}),
    "companies": ((["SANDBOX1000170"],), {}),
    "history": (("SANDBOX1000170",), {}),
    "search": ((), {"nome": "SANDBOX"}),
    "watch": (("SANDBOX1000170", "a"), {}),
    "watch_all": ((["SANDBOX1000170"],), {}),
    "unwatch": (("SANDBOX1000170",), {}),
    "create_webhook": (("https://a.example",), {}),
    "change_webhook": (("wh_1",), {"ativo": True}),
} | {
    name: (("wh_1",), {})
    for name in ("read_webhook", "delete_webhook", "test_webhook", "rotate_webhook", "webhook_deliveries")
}  # fmt: skip


def sent(name: str, *args: Any, **kwargs: Any) -> httpx.Request:
    """Return the request of a call."""
    service = Service(problem(418, "teapot"))
    with Client(KEY, URL, transport=service.transport) as made, pytest.raises(BrskillsError):
        getattr(made, name)(*args, **kwargs)
    return service.requests[0]


@for_each("name", sorted(CALLS))
def test_both_clients_send_the_same(name: str) -> None:
    args, kwargs = CALLS[name]
    service = Service(problem(418, "teapot"))

    async def send() -> None:
        async with AsyncClient(KEY, URL, transport=service.transport) as made:
            await getattr(made, name)(*args, **kwargs)

    with pytest.raises(BrskillsError):
        asyncio.run(send())
    blocking, awaited = sent(name, *args, **kwargs), service.requests[0]
    assert (blocking.method, blocking.url, blocking.content) == (awaited.method, awaited.url, awaited.content)
    assert set(blocking.headers) == set(awaited.headers)


def test_paths_are_the_servers() -> None:
    known = {
        (way.method, way.path.replace("{cnpj+}", "SANDBOX1000170").replace("{id}", "wh_1"))
        for skill in [*SKILLS.values(), *BATCHES.values(), *ROUTES.values()]
        for way in skill.endpoints
    }
    known |= {(way.method, way.path) for way in [*ACCOUNT_OPERATIONS, *SERVICE_OPERATIONS]}
    for name, (args, kwargs) in CALLS.items():
        request = sent(name, *args, **kwargs)
        assert (request.method, request.url.path) in known


def test_counted_calls_have_idempotency_keys() -> None:
    counted = {"create_pix_code", "create_pix_codes", "conferir", "company", "companies", "history", "search"}
    for name, (args, kwargs) in CALLS.items():
        keys = {sent(name, *args, **kwargs).headers.get("idempotency-key") for _ in range(2)}
        assert len(keys) == (2 if name in counted else 1)
        assert (None in keys) == (name not in counted)


def test_amounts_are_sent_as_text() -> None:
    body = json.loads(sent("create_pix_code", valor=Decimal("1E+2"), txid=None).content)
    assert body == {"valor": "100"}
    with pytest.raises(TypeError, match="object cannot be sent"):
        sent("create_pix_code", valor=object())


def test_key_is_sent_only_where_needed() -> None:
    assert sent("usage").headers["x-api-key"] == KEY
    for name in ("create_key", "plans", "status"):
        assert "x-api-key" not in sent(name).headers


def test_missing_key_is_reported_before_sending() -> None:
    service = Service(json_answer(COMPANY))
    with pytest.raises(ConfigurationError, match="BRSKILLS_API_KEY"):
        Client(base_url=URL, transport=service.transport).company(191)
    assert service.requests == []


def is_retrying(error: BaseException) -> bool:
    return any("tenacity" in frame.filename for frame in traceback.extract_tb(error.__traceback__))


def test_missing_key_has_a_short_traceback() -> None:
    service = Service(json_answer(COMPANY))
    with pytest.raises(NoKey) as blocking:
        Client(base_url=URL, transport=service.transport).company(191)
    client = AsyncClient(base_url=URL, transport=service.transport)
    with pytest.raises(NoKey) as awaited:
        asyncio.run(client.company(191))
    assert not is_retrying(blocking.value)
    assert not is_retrying(awaited.value)


@pytest.fixture
def saved() -> Path:
    """The key file of `brskills chave`."""
    with keyfile.new_key_file(keyfile.KEY_FILE) as file:
        file.write(f"{KEY}\n")
    return keyfile.KEY_FILE


def test_the_key_that_the_command_saved_is_sent(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(problem(418, "teapot"))
    client = Client(base_url=URL, transport=service.transport)
    for call in (client.plans, client.usage, Client("k", URL, transport=service.transport).usage):
        with pytest.raises(BrskillsError):
            call()
    monkeypatch.setenv("BRSKILLS_API_KEY", "brsk_of_the_environment")
    with pytest.raises(BrskillsError):
        Client(base_url=URL, transport=service.transport).usage()
    sent_keys = [request.headers.get("x-api-key") for request in service.requests]
    assert sent_keys == [None, KEY, "k", "brsk_of_the_environment"]


def test_a_saved_key_that_others_can_read_is_refused(saved: Path) -> None:
    saved.chmod(0o640)
    service = Service(problem(418, "teapot"))
    with pytest.raises(keyfile.ReadableKeyFile, match="chmod 600"):
        Client(base_url=URL, transport=service.transport).usage()
    assert service.requests == []


def test_settings_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(problem(418, "teapot"))
    with pytest.raises(BrskillsError):
        Client("k", transport=service.transport).usage()
    monkeypatch.setenv("BRSKILLS_API_KEY", "brsk_of_the_environment")
    monkeypatch.setenv("BRSKILLS_URL", "http://127.0.0.1:9/sob/")
    with pytest.raises(BrskillsError):
        Client(language="en", transport=service.transport).usage()
    first, second = service.requests
    assert str(first.url) == f"{LOCAL_URL}/api/v1/usage"
    assert str(second.url) == "http://127.0.0.1:9/sob/api/v1/usage"
    assert second.headers["x-api-key"] == "brsk_of_the_environment"
    assert (first.headers["accept-language"], second.headers["accept-language"]) == ("pt", "en")


@for_each("url", ["ftp://x", "brskills.example", "https://", "https://u:p@h", "http://a b"])
def test_invalid_addresses(url: str) -> None:
    with pytest.raises(ConfigurationError, match="address"):
        Client(KEY, url)


def test_invalid_key_is_not_repeated_in_the_error() -> None:
    with pytest.raises(ConfigurationError) as refused:
        Client("brsk_öops\n", URL)
    assert "oops" not in str(refused.value)
    assert "öops" not in str(refused.value)


def test_batch_results() -> None:
    missing = {"title": "t", "detail": "d", "status": 404, "code": "company_not_found", "confirmado": True}
    content = {
        "resultados": [
            {"indice": 0, "status": 200, "resposta": COMPANY},
            {"indice": 1, "status": 404, "problema": {**missing, "data_base": "2026-11-01"}},
        ],
        "contadas": 2,
    }
    service = Service(json_answer(content))
    found = Client(KEY, URL, transport=service.transport).companies(["a", 191], partial=True)
    company, absence = found.resultados
    assert (found.contadas, isinstance(company, Company)) == (2, True)
    assert isinstance(absence, CompanyNotFound)
    assert absence.confirmed
    assert json.loads(service.requests[0].content) == {"cnpjs": ["a", 191], "parcial": True}


@for_each("places", [[], [0], [1, 0], [0, 1, 2]])
def test_batch_with_other_items_is_unexpected(places: list[int]) -> None:
    found = [{"indice": place, "status": 200, "resposta": COMPANY} for place in places]
    with pytest.raises(UnexpectedAnswer):
        client(json_answer({"resultados": found, "contadas": 0})).companies(["a", "b"])
