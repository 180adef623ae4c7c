"""Webhooks over the gateway's HTTP: their routes, limits and refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from .service import TIMEOUT, Served, calls_of, problem, serve_here

WEBHOOKS = "/api/v1/webhooks"
URL, HERE = "https://erp.example.com/brskills", "http://127.0.0.1:9/brskills"
ALL = ["company.changed", "usage.threshold", "webhook.test"]
UNKNOWN = "wh_00000000000000000000"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    file = tmp_path_factory.mktemp("store") / "brskills.db"
    with serve_here(STORE=f"sqlite:///{file}") as started:
        yield started


@pytest.fixture
def http(service: Served) -> Iterator[httpx.Client]:
    with service.caller() as client:
        yield client


def add(http: httpx.Client, **content: Any) -> dict[str, Any]:
    answer = http.post(WEBHOOKS, json={"url": URL, **content})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def shown(webhook: dict[str, Any]) -> dict[str, Any]:
    """A created webhook as it is shown later."""
    return {name: value for name, value in webhook.items() if name != "segredo"}


def test_a_webhook_is_created_read_and_deleted(http: httpx.Client) -> None:
    answer = http.post(WEBHOOKS, json={"url": URL, "eventos": ["usage.threshold"], "descricao": "ERP"})
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    webhook = answer.json()
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", webhook["segredo"])
    assert re.fullmatch(r"wh_[0-9a-f]{27}", webhook["id"])
    assert shown(webhook) == {
        "id": webhook["id"],
        "url": URL,
        "eventos": ["usage.threshold"],
        "descricao": "ERP",
        "ativo": True,
        "motivo": None,
        "criado_em": webhook["criado_em"],
    }
    assert webhook["criado_em"].endswith("Z")
    one = f"{WEBHOOKS}/{webhook['id']}"
    assert http.get(one).json() == shown(webhook)
    other = add(http)
    assert other["eventos"] == ALL
    assert other["descricao"] is None
    assert http.get(WEBHOOKS).json() == {"webhooks": [shown(webhook), shown(other)]}
    assert http.get(f"{one}/deliveries").json() == {"deliveries": []}
    for _ in range(2):
        deleted = http.delete(one)
        assert (deleted.status_code, deleted.content) == (204, b"")
    assert problem(http.get(one)) == (404, "not_found", [])
    assert http.get(WEBHOOKS).json() == {"webhooks": [shown(other)]}
    assert calls_of(http) == 0


def test_a_change_keeps_what_it_does_not_name(http: httpx.Client) -> None:
    webhook = shown(add(http, descricao="ERP"))
    one = f"{WEBHOOKS}/{webhook['id']}"
    for content, changed in (
        ({}, {}),
        ({"url": None, "eventos": None, "ativo": None}, {}),
        ({"eventos": ["webhook.test", "company.changed"]}, {"eventos": ["webhook.test", "company.changed"]}),
        ({"ativo": False}, {"ativo": False, "motivo": "pedido"}),
        ({"url": f"{URL}/2", "descricao": ""}, {"url": f"{URL}/2", "descricao": None}),
        ({"descricao": "b"}, {"descricao": "b"}),
        ({"descricao": None}, {"descricao": None}),
        ({"ativo": True}, {"ativo": True, "motivo": None}),
    ):
        webhook |= changed
        answer = http.patch(one, json=content)
        assert (answer.status_code, answer.json()) == (200, webhook), content
    assert http.get(one).json() == webhook
    assert problem(http.patch(f"{WEBHOOKS}/{UNKNOWN}", json={})) == (404, "not_found", [])


@pytest.mark.parametrize(
    ("content", "issues"),
    [
        ({}, [("url", "required")]),
        ({"url": ""}, [("url", "empty")]),
        ({"url": 1}, [("url", "invalid_type")]),
        ({"url": f"{URL}/{'x' * 2048}"}, [("url", "too_long")]),
        ({"url": "erp.example.com"}, [("url", "invalid_url")]),
        ({"url": "https://10.0.0.1/"}, [("url", "private_address")]),
        ({"url": HERE}, [("url", "private_address")]),
        ({"url": URL, "eventos": []}, [("eventos", "empty")]),
        ({"url": URL, "eventos": "company.changed"}, [("eventos", "invalid_type")]),
        ({"url": URL, "eventos": ["company.changed", "x"]}, [("eventos", "invalid_value")]),
        ({"url": URL, "eventos": [["company.changed"]]}, [("eventos", "invalid_value")]),
        ({"url": URL, "eventos": ["webhook.test"] * 2}, [("eventos", "invalid_value")]),
        ({"url": URL, "descricao": "x" * 201}, [("descricao", "too_long")]),
        ({"url": URL, "descricao": "a\0"}, [("descricao", "invalid_form")]),
        (
            {"url": "http://a.example/", "eventos": 1, "descricao": 2, "ativo": True},
            [
                ("descricao", "invalid_type"),
                ("ativo", "unknown_field"),
                ("url", "invalid_url"),
                ("eventos", "invalid_type"),
            ],
        ),
    ],
)
def test_every_faulty_field_of_a_new_one_is_named(
    http: httpx.Client, content: dict[str, Any], issues: list[tuple[str, str]]
) -> None:
    assert problem(http.post(WEBHOOKS, json=content)) == (422, "invalid_fields", issues)
    assert http.get(WEBHOOKS).json() == {"webhooks": []}


def test_every_faulty_field_of_a_change_is_named(http: httpx.Client) -> None:
    webhook = shown(add(http))
    one = f"{WEBHOOKS}/{webhook['id']}"
    for content, issues in (
        ({"ativo": "sim", "url": HERE}, [("ativo", "invalid_type"), ("url", "private_address")]),
        ({"segredo": "x", "eventos": []}, [("segredo", "unknown_field"), ("eventos", "empty")]),
        ({"id": UNKNOWN, "ativo": 1}, [("ativo", "invalid_type"), ("id", "unknown_field")]),
    ):
        assert problem(http.patch(one, json=content)) == (422, "invalid_fields", issues)
    for answer in (http.patch(f"{one}?x=1", json={}), http.post(f"{one}/test?x=1"), http.get(f"{one}?x=1")):
        assert problem(answer) == (422, "invalid_fields", [("x", "unknown_field")])
    for path in ("test", "rotate"):
        answer = http.post(f"{one}/{path}", json={"x": 1, "id": webhook["id"]})
        assert problem(answer) == (422, "invalid_fields", [("x", "unknown_field"), ("id", "unknown_field")])
    assert http.get(one).json() == webhook


def test_a_body_of_patch_is_read_as_one_of_post(http: httpx.Client) -> None:
    one = f"{WEBHOOKS}/{add(http)['id']}"
    as_text = http.patch(one, content=b"{}", headers={"Content-Type": "text/plain"})
    assert problem(as_text) == (415, "unsupported_media_type", [])
    assert problem(http.patch(one)) == (400, "malformed_json", [])
    assert problem(http.patch(one, content=b'{"ativo": true, "ativo": true}'))[:2] == (400, "malformed_json")
    assert problem(http.patch(one, content=b'{"a": "' + b"x" * 16_384 + b'"}'))[:2] == (413, "body_too_large")
    assert problem(http.patch(one, json=[]))[:2] == (422, "invalid_fields")


def test_a_secret_is_replaced_and_the_former_one_ends_in_a_day(http: httpx.Client) -> None:
    webhook = add(http)
    answer = http.post(f"{WEBHOOKS}/{webhook['id']}/rotate")
    assert answer.status_code == 201
    rotated = answer.json()
    assert rotated["segredo"] != webhook["segredo"]
    assert rotated == {
        **webhook,
        "segredo": rotated["segredo"],
        "segredo_anterior_ate": rotated["segredo_anterior_ate"],
    }
    assert rotated["segredo_anterior_ate"] > webhook["criado_em"]
    assert http.get(f"{WEBHOOKS}/{webhook['id']}").json() == shown(webhook)


def test_a_test_is_accepted_sixty_times_an_hour_unless_the_webhook_is_inactive(http: httpx.Client) -> None:
    one = f"{WEBHOOKS}/{add(http, eventos=['usage.threshold'])['id']}"
    sent = http.post(f"{one}/test")
    assert sent.status_code == 202
    assert re.fullmatch(r"msg_[0-9a-f]{32}", sent.json()["id"])
    http.patch(one, json={"ativo": False})
    assert problem(http.post(f"{one}/test")) == (409, "webhook_inactive", [])
    http.patch(one, json={"ativo": True})
    refused = next(answer for _ in range(130) if (answer := http.post(f"{one}/test")).status_code != 202)
    assert problem(refused) == (429, "uncounted_limit", [])
    assert 1 <= int(refused.headers["retry-after"]) <= 3600


def test_what_is_not_the_accounts_is_not_found(service: Served, http: httpx.Client) -> None:
    webhook = shown(add(http))
    with service.caller() as other:
        for name in (webhook["id"], UNKNOWN, "wh_", "x", "a%00b", "wh_1%23DUE", "w" * 3000):
            one = f"{WEBHOOKS}/{name}"
            answers = [
                other.get(one),
                other.patch(one, json={"ativo": False}),
                other.post(f"{one}/test"),
                other.post(f"{one}/rotate"),
                other.get(f"{one}/deliveries"),
            ]
            assert [problem(answer) for answer in answers] == [(404, "not_found", [])] * 5
        assert "/api/v1/webhooks" in answers[0].json()["detail"]
        for name in (webhook["id"], UNKNOWN):
            assert other.delete(f"{WEBHOOKS}/{name}").status_code == 204
        assert other.get(WEBHOOKS).json() == {"webhooks": []}
    assert http.get(WEBHOOKS).json() == {"webhooks": [webhook]}


def test_agents_have_no_tools_of_webhooks(service: Served) -> None:
    listed = httpx.get(f"{service.base}/api/v1/tools?format=mcp", timeout=TIMEOUT).json()["tools"]
    assert not [tool["name"] for tool in listed if "webhook" in tool["name"]]


def test_addresses_here_are_allowed_where_the_operator_wants_it(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'brskills.db'}"
    with serve_here(STORE=store, WEBHOOK_ALLOW_LOOPBACK="1") as service, service.caller() as http:
        assert add(http, url=HERE)["url"] == HERE
        assert problem(http.post(WEBHOOKS, json={"url": "http://10.0.0.1/"})) == (
            422, "invalid_fields", [("url", "private_address")],
        )  # fmt: skip
