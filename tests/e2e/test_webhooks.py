"""Webhooks: how they are managed, and what a receiver gets."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.e2e.conftest import CHARGE, DEMO, PIX, Service, calls, client, new_key, problem
from tests.services.gateway import eventually
from tests.services.hooks import Hooks, receiving

WEBHOOKS, WATCHES, SANDBOX = "/api/v1/webhooks", "/api/v1/watches", "SANDBOX1000170"
URL = "https://erp.example.com/brskills"
ALL = ["company.changed", "usage.threshold", "webhook.test"]


@pytest.fixture(scope="module")
def hooks() -> Iterator[Hooks]:
    with receiving() as found:
        yield found


@pytest.fixture
def receiver(simulated: Service, hooks: Hooks) -> Hooks:
    """A receiver on loopback, to which a service that was started here may deliver."""
    return hooks


def add(http: httpx.Client, url: str = URL, **content: Any) -> dict[str, Any]:
    answer = http.post(WEBHOOKS, json={"url": url, **content})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def attempts(http: httpx.Client, webhook: dict[str, Any]) -> list[dict[str, Any]]:
    found = http.get(f"{WEBHOOKS}/{webhook['id']}/deliveries").raise_for_status().json()["deliveries"]
    return list(found)


def test_a_webhook_is_created_changed_and_deleted(fresh: httpx.Client) -> None:
    webhook = add(fresh, descricao="ERP")
    assert webhook.pop("segredo").startswith("whsec_")
    assert webhook == {
        "id": webhook["id"], "url": URL, "eventos": ALL, "descricao": "ERP", "ativo": True, "motivo": None,
        "criado_em": webhook["criado_em"],
    }  # fmt: skip
    one = f"{WEBHOOKS}/{webhook['id']}"
    assert fresh.get(WEBHOOKS).json() == {"webhooks": [webhook]}
    assert fresh.get(one).json() == webhook
    changed = fresh.patch(one, json={"eventos": ["usage.threshold"], "ativo": False})
    assert changed.status_code == 200
    assert changed.json() == {
        **webhook, "eventos": ["usage.threshold"], "ativo": False, "motivo": "pedido",
    }  # fmt: skip
    problem(fresh.post(f"{one}/test"), 409, "webhook_inactive")
    assert fresh.patch(one, json={"ativo": True, "eventos": ALL}).json() == webhook
    assert attempts(fresh, webhook) == []
    for _ in range(2):
        assert fresh.delete(one).status_code == 204
    problem(fresh.get(one), 404, "not_found")
    assert calls(fresh) == 0


def test_five_are_five_even_at_once(fresh: httpx.Client) -> None:
    with ThreadPoolExecutor(6) as pool:  # MiniStack unpacks a function for each
        answers = list(pool.map(lambda _: fresh.post(WEBHOOKS, json={"url": URL}), range(20)))
    assert sorted(answer.status_code for answer in answers) == [201] * 5 + [409] * 15
    refused = problem(next(answer for answer in answers if answer.status_code == 409), 409, "webhook_limit")
    assert "5" in refused["detail"]
    first, *others = fresh.get(WEBHOOKS).json()["webhooks"]
    assert len(others) == 4
    fresh.delete(f"{WEBHOOKS}/{first['id']}")
    assert add(fresh)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://10.0.0.1/", "private_address"),
        ("https://169.254.169.254/latest/meta-data/", "private_address"),
        ("https://erp/", "private_address"),
        ("https://erp.internal/", "private_address"),
        ("https://8.8.8.8/", "invalid_url"),
        ("http://erp.example.com/", "invalid_url"),
        ("https://erp.example.com:8443/", "invalid_url"),
        ("https://user@erp.example.com/", "invalid_url"),
        ("erp", "invalid_url"),
    ],
)
def test_only_public_addresses_on_https_are_allowed(fresh: httpx.Client, url: str, code: str) -> None:
    one = f"{WEBHOOKS}/{add(fresh)['id']}"
    for answer in (fresh.post(WEBHOOKS, json={"url": url}), fresh.patch(one, json={"url": url})):
        errors = problem(answer, 422, "invalid_fields")["errors"]
        assert [(each["campo"], each["code"]) for each in errors] == [("url", code)]


def test_every_faulty_field_is_named(fresh: httpx.Client) -> None:
    wrong = {"url": "x", "eventos": ["x"], "descricao": "x" * 201, "segredo": "x"}
    errors = problem(fresh.post(WEBHOOKS, json=wrong), 422, "invalid_fields")["errors"]
    assert {each["campo"] for each in errors} == wrong.keys()


def test_what_is_another_accounts_is_not_found(http: httpx.Client, service: Service) -> None:
    with client(service, new_key(http)) as owner, client(service, new_key(http)) as other:
        webhook = add(owner)
        one = f"{WEBHOOKS}/{webhook['id']}"
        for answer in (
            other.get(one),
            other.patch(one, json={"ativo": False}),
            other.post(f"{one}/test"),
            other.post(f"{one}/rotate"),
            other.get(f"{one}/deliveries"),
        ):
            problem(answer, 404, "not_found")
        assert other.delete(one).status_code == 204
        assert owner.get(one).json()["ativo"] is True


def test_the_demo_key_has_none(http: httpx.Client) -> None:
    one = f"{WEBHOOKS}/wh_1"
    for method, path in (
        ("GET", WEBHOOKS), ("GET", one), ("DELETE", one), ("POST", f"{one}/test"), ("POST", f"{one}/rotate"),
        ("GET", f"{one}/deliveries"),
    ):  # fmt: skip
        problem(http.request(method, path, headers=DEMO), 403, "demo_key")
    problem(http.post(WEBHOOKS, json={"url": URL}, headers=DEMO), 403, "demo_key")
    problem(http.patch(one, json={}, headers=DEMO), 403, "demo_key")
    problem(http.patch(one, json={}), 401, "missing_api_key")


def test_a_browser_may_change_one(http: httpx.Client) -> None:
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "PATCH"}
    allowed = http.options(f"{WEBHOOKS}/wh_1", headers=asked).headers["access-control-allow-methods"]
    assert "PATCH" in allowed


def test_a_test_event_arrives_signed_and_is_listed(receiver: Hooks, fresh: httpx.Client) -> None:
    webhook = add(fresh, f"{receiver.base}/test", eventos=["company.changed"])
    sent = fresh.post(f"{WEBHOOKS}/{webhook['id']}/test")
    assert sent.status_code == 202
    (delivery,) = receiver.wait("/test")
    assert delivery.id == sent.json()["id"]
    assert delivery.is_signed_by(webhook["segredo"])
    assert abs(int(delivery.headers["webhook-timestamp"]) - time.time()) < 300
    assert delivery.headers["content-type"] == "application/json"
    event = delivery.event
    assert event == {
        "type": "webhook.test", "timestamp": event["timestamp"], "data": {"webhook": webhook["id"]},
    }  # fmt: skip
    eventually(lambda: bool(attempts(fresh, webhook)))
    (listed,) = attempts(fresh, webhook)
    assert listed.pop("duracao_ms") >= 0
    assert listed.pop("em").endswith("Z")
    assert listed == {
        "id": delivery.id, "tipo": "webhook.test", "tentativa": 1, "status": 204, "erro": None,
    }  # fmt: skip
    assert calls(fresh) == 0


def test_a_change_arrives_as_the_feed_has_it_at_each_that_wants_it(
    receiver: Hooks, fresh: httpx.Client
) -> None:
    webhook = add(fresh, f"{receiver.base}/change")
    add(fresh, f"{receiver.base}/none", eventos=["usage.threshold"])
    fresh.post(WATCHES, json={"cnpj": SANDBOX, "referencia": "fornecedor 1"})
    for _ in range(2):
        assert fresh.post(f"{WATCHES}/simulate").status_code == 202
    deliveries = receiver.wait("/change", 2)
    assert all(delivery.is_signed_by(webhook["segredo"]) for delivery in deliveries)
    assert {delivery.event["type"] for delivery in deliveries} == {"company.changed"}
    changes = {change["id"]: change for change in fresh.get("/api/v1/changes").json()["mudancas"]}
    assert {each.event["data"]["id"]: each.event["data"] for each in deliveries} == changes
    assert receiver.of("/none") == []


def test_both_secrets_sign_after_a_rotation(receiver: Hooks, fresh: httpx.Client) -> None:
    webhook = add(fresh, f"{receiver.base}/rotated")
    rotated = fresh.post(f"{WEBHOOKS}/{webhook['id']}/rotate")
    assert rotated.status_code == 201
    assert rotated.json()["segredo_anterior_ate"] > webhook["criado_em"]
    fresh.post(f"{WEBHOOKS}/{webhook['id']}/test")
    (delivery,) = receiver.wait("/rotated")
    secrets = [rotated.json()["segredo"], webhook["segredo"]]
    assert [delivery.is_signed_by(secret) for secret in secrets] == [True, True]
    assert len(delivery.headers["webhook-signature"].split()) == 2


def test_a_failure_is_tried_again_with_the_same_id_and_body(receiver: Hooks, fresh: httpx.Client) -> None:
    receiver.statuses["/failing"] = 500
    webhook = add(fresh, f"{receiver.base}/failing")
    fresh.post(f"{WEBHOOKS}/{webhook['id']}/test")
    receiver.wait("/failing")
    receiver.statuses["/failing"] = 200
    first, second, *_ = receiver.wait("/failing", 2)
    assert (first.id, first.body) == (second.id, second.body)
    assert second.is_signed_by(webhook["segredo"])
    eventually(lambda: len(attempts(fresh, webhook)) == 2)
    assert [(each["tentativa"], each["status"]) for each in attempts(fresh, webhook)] == [(2, 200), (1, 500)]


def test_gone_makes_a_webhook_inactive_until_its_account_wants_it(
    receiver: Hooks, fresh: httpx.Client
) -> None:
    receiver.statuses["/gone"] = 410
    webhook = add(fresh, f"{receiver.base}/gone")
    one = f"{WEBHOOKS}/{webhook['id']}"
    fresh.post(f"{one}/test")
    eventually(lambda: not fresh.get(one).json()["ativo"])
    assert fresh.get(one).json()["motivo"] == "gone"
    receiver.statuses["/gone"] = 204
    assert fresh.patch(one, json={"ativo": True}).json()["motivo"] is None
    fresh.post(f"{one}/test")
    assert len({delivery.id for delivery in receiver.wait("/gone", 2)}) == 2


def test_a_deleted_webhook_gets_nothing_more(receiver: Hooks, fresh: httpx.Client) -> None:
    deleted, kept = (add(fresh, f"{receiver.base}/{name}") for name in ("deleted", "kept"))
    fresh.delete(f"{WEBHOOKS}/{deleted['id']}")
    fresh.post(WATCHES, json={"cnpj": SANDBOX})
    fresh.post(f"{WATCHES}/simulate")
    (delivery,) = receiver.wait("/kept")
    assert delivery.is_signed_by(kept["segredo"])
    assert receiver.of("/deleted") == []


def test_a_month_that_is_used_up_is_announced_at_80_and_at_100_percent(
    receiver: Hooks, fresh: httpx.Client
) -> None:
    webhook = add(fresh, f"{receiver.base}/usage", eventos=["usage.threshold"])

    def use(number: int) -> None:
        for _ in range(number):
            assert fresh.post(PIX, json=CHARGE).status_code == 200

    use(80)
    (at_80,) = receiver.wait("/usage")
    use(20)
    _, at_100 = receiver.wait("/usage", 2)
    for delivery, percent in ((at_80, 80), (at_100, 100)):
        assert delivery.is_signed_by(webhook["segredo"])
        data = delivery.event["data"]
        assert delivery.event["type"] == "usage.threshold"
        assert (data["plano"], data["limite"], data["percentual"]) == ("free", 100, percent)
        assert data["chamadas"] >= percent
        assert data["mes"] == fresh.get("/api/v1/usage").json()["mes"]
    assert len(receiver.of("/usage")) == 2
