"""Subscriptions over HTTP, with the gateway and a fake Stripe on sockets."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from brskills_server.accounts.accounts import Accounts
from tests.conftest import DEMO_KEY
from tests.fakes.stripe_api import API_KEY, SECRET


def problem(response) -> tuple[int, str]:
    assert response.headers["Content-Type"] == "application/problem+json"
    return response.status_code, response.json()["code"]


def test_free_then_pro_then_over_quota_then_free_again(service, code) -> None:
    key, account = service.sign_up()
    service.has_called(account, 99)
    assert service.post("/skills/pix", key, json=code).headers["X-RateLimit-Remaining"] == "0"
    assert problem(service.post("/skills/pix", key, json=code)) == (429, "quota_exceeded")

    answer = service.post("/billing/checkout", key)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    subscription, page = service.stripe.pay(answer.json()["url"])
    assert service.usage(key)["plano"] == "free"  # no event yet
    result = service.deliver(service.stripe.event("checkout.session.completed", page))
    assert (result.status_code, result.json()) == (200, {"resultado": "recorded"})

    usage = service.usage(key)
    assert (usage["plano"], usage["chamadas"], usage["limite"]) == ("pro", 100, 10_000)
    assert service.post("/skills/pix", key, json=code).headers["X-RateLimit-Remaining"] == "9899"
    service.has_called(account, 9_999)
    assert service.post("/skills/pix", key, json=code).status_code == 200
    over = service.post("/skills/pix", key, json=code)
    assert problem(over) == (429, "quota_exceeded")
    assert over.headers["X-RateLimit-Limit"] == "10000"
    assert service.post("/billing/portal", key).json()["url"].endswith(f"/p/{subscription['customer']}")

    subscription["status"] = "canceled"
    result = service.deliver(service.stripe.event("customer.subscription.deleted", subscription))
    assert result.json() == {"resultado": "recorded"}
    usage = service.usage(key)
    assert (usage["plano"], usage["chamadas"], usage["restantes"]) == ("free", 10_000, 0)
    over = service.post("/skills/pix", key, json=code)
    assert (problem(over), over.headers["X-RateLimit-Limit"]) == ((429, "quota_exceeded"), "100")
    assert service.post("/billing/checkout", key).status_code == 200  # and may come back


def test_a_whole_life_delivered_at_once_in_any_order_and_twice(service) -> None:
    chance = random.Random(20_261_118)
    for end in ("canceled", "past_due", "active"):
        key, account = service.sign_up()
        subscription, page = service.stripe.pay(service.post("/billing/checkout", key).json()["url"])
        event = service.stripe.event
        events = [
            event("checkout.session.completed", page),
            event("customer.subscription.created", subscription),
            event("invoice.paid", service.stripe.invoice(subscription)),
            event("customer.subscription.updated", subscription),
        ]
        subscription["status"] = end
        events.append(event("customer.subscription.updated", subscription))
        deliveries = events * 2
        chance.shuffle(deliveries)
        with ThreadPoolExecutor(8) as pool:
            statuses = [answer.status_code for answer in pool.map(service.deliver, deliveries)]
        assert set(statuses) <= {200, 503}  # 503: too many at once, and Stripe would send them again
        outcomes = {service.deliver(event).json()["resultado"] for event in events}
        assert outcomes <= {"recorded", "duplicate"}
        assert service.usage(key)["plano"] == ("free" if end == "canceled" else "pro")
        assert service.store.read_account(account).billing.version == len(events)


def test_an_invalid_or_old_signature_changes_nothing(service) -> None:
    key, _, subscription = service.subscribed()
    subscription["status"] = "canceled"
    event = service.stripe.event("customer.subscription.deleted", subscription)
    for how in ({"secret": "whsec_guessed"}, {"at": 1_700_000_000}):
        assert problem(service.deliver(event, **how)) == (400, "invalid_signature")
    assert problem(service.post("/billing/webhook", json=event)) == (400, "invalid_signature")
    assert problem(service.post("/billing/webhook", content=b"\xff")) == (400, "invalid_signature")
    assert service.usage(key)["plano"] == "pro"


def test_an_event_larger_than_a_caller_may_send(service) -> None:
    _, _, subscription = service.subscribed()
    event = service.stripe.event("customer.subscription.updated", {**subscription, "note": "ã" * 40_000})
    assert service.deliver(event).json() == {"resultado": "recorded"}


@pytest.mark.parametrize(
    "about",
    [
        {},
        {"id": "evt_1", "type": "invoice.paid", "data": [], "n": 10**4000},
        {"id": "evt_1", "type": "customer.subscription.updated", "data": {"object": {"id": "a\x00b"}}},
        {"id": "evt_1", "type": "customer.subscription.updated", "data": {"object": {"id": "sub_new"}}},
    ],
)
def test_a_signed_body_that_is_no_event_is_a_client_error(service, about) -> None:
    answer = service.deliver(about)
    assert problem(answer) == (400, "malformed_json")
    assert "Stripe" in answer.json()["detail"]


def test_while_stripe_is_unavailable_events_are_repeated_and_calls_work(service, code) -> None:
    key, _, subscription = service.subscribed()
    subscription["status"] = "canceled"
    event = service.stripe.event("customer.subscription.deleted", subscription)
    service.stripe.faults += [(503, "away")] * 2
    answer = service.deliver(event)
    assert (problem(answer), answer.headers["Retry-After"]) == ((503, "billing_unavailable"), "60")
    assert problem(service.post("/billing/portal", key)) == (503, "billing_unavailable")
    assert service.post("/skills/pix", key, json=code).status_code == 200
    assert service.deliver(event).json() == {"resultado": "recorded"}
    assert service.usage(key)["plano"] == "free"


def paid(service, subscription):
    (charge,) = service.stripe.payments.charges(subscription["latest_invoice"])
    return charge


def test_refunded_then_free_at_once_then_pro_with_the_next_invoice(service, code) -> None:
    key, account, subscription = service.subscribed()
    service.has_called(account, 500)
    stripe, charge = service.stripe, paid(service, subscription)
    stripe.payments.refund(charge, 1_000)
    assert service.deliver(stripe.event("charge.refunded", charge)).json() == {"resultado": "recorded"}
    assert service.usage(key)["plano"] == "pro"
    stripe.payments.refund(charge)
    result = service.deliver(stripe.event("charge.refunded", charge))
    assert (result.status_code, result.json()) == (200, {"resultado": "recorded_paid_back"})
    usage = service.usage(key)
    assert (usage["plano"], usage["chamadas"], usage["limite"]) == ("free", 500, 100)
    assert problem(service.post("/skills/pix", key, json=code)) == (429, "quota_exceeded")
    # The subscription still exists: it is repaired or ended, not bought again.
    refused = service.post("/billing/checkout", key)
    assert problem(refused) == (409, "already_subscribed")
    assert "devolvido ou contestado" in refused.json()["detail"]
    assert service.post("/billing/portal", key).status_code == 200

    invoice = stripe.payments.bill(subscription, paid=False)
    event = stripe.event("customer.subscription.updated", subscription)
    assert service.deliver(event).json() == {"resultado": "recorded_paid_back"}
    assert service.usage(key)["plano"] == "free"
    stripe.payments.settle(invoice)
    assert service.deliver(stripe.event("invoice.paid", invoice)).json() == {"resultado": "recorded"}
    assert service.usage(key)["plano"] == "pro"
    assert service.post("/skills/pix", key, json=code).status_code == 200


@pytest.mark.parametrize("call", range(4))
def test_a_refund_is_recorded_whole_after_errors_of_stripe(service, call) -> None:
    key, account, subscription = service.subscribed()
    charge = paid(service, subscription)
    service.stripe.payments.refund(charge)
    event = service.stripe.event("charge.refunded", charge)
    before = service.store.read_account(account)
    for fault in ((503, "away"), (200, {"object": "list"})):
        service.stripe.faults += [lambda: None] * call + [fault]
        assert problem(service.deliver(event)) == (503, "billing_unavailable")
        assert service.store.read_account(account) == before
        assert not service.store.has_event(event["id"])
    assert service.deliver(event).json() == {"resultado": "recorded_paid_back"}
    assert service.usage(key)["plano"] == "free"


def test_a_rotated_key_keeps_the_subscription(service) -> None:
    key, _, _ = service.subscribed()
    new = service.post("/keys/rotate", key).json()["api_key"]
    assert service.usage(new)["plano"] == "pro"
    assert problem(service.post("/billing/portal", key)) == (401, "invalid_api_key")
    assert service.post("/billing/portal", new).status_code == 200


@pytest.mark.parametrize("path", ["/billing/checkout", "/billing/portal"])
def test_authentication_and_bodies_of_billing_requests(service, path) -> None:
    key, _ = service.sign_up()
    assert problem(service.post(path)) == (401, "missing_api_key")
    assert problem(service.post(path, DEMO_KEY)) == (403, "demo_key")
    assert problem(service.post(path, key, content=b"{")) == (400, "malformed_json")
    assert problem(service.post(path, key, json=[])) == (422, "invalid_fields")
    assert problem(service.post(path, key, data={"plano": "pro"})) == (415, "unsupported_media_type")
    assert service.post(path, key, json={}).status_code in {200, 404}  # as without a body
    refused = service.post(path, key, json={"plano": "enterprise"})
    assert problem(refused) == (422, "invalid_fields")
    assert refused.json()["errors"][0]["code"] == "unknown_field"


def test_the_portal_of_an_account_that_never_subscribed_or_was_deleted_at_stripe(service) -> None:
    answer = service.post("/billing/portal", service.sign_up()[0])
    assert problem(answer) == (404, "not_found")
    assert "/billing/checkout" in answer.json()["detail"]
    key, _, subscription = service.subscribed()
    service.stripe.customers.remove(subscription["customer"])
    assert problem(service.post("/billing/portal", key)) == (404, "not_found")


@pytest.mark.parametrize("plan", ["pro", "enterprise"])
def test_an_account_with_an_assigned_plan_buys_none(service, plan) -> None:
    key, account = service.sign_up()
    Accounts(service.store, "").set_plan(account, plan)
    assert problem(service.post("/billing/checkout", key)) == (409, "already_subscribed")


def test_the_log_names_outcomes_and_no_identifier(service) -> None:
    key, account, subscription = service.subscribed()
    service.deliver(service.stripe.event("customer.subscription.updated", subscription), secret="whsec_x")
    charge = paid(service, subscription)
    service.stripe.payments.refund(charge)
    event = service.stripe.event("charge.refunded", charge)
    service.deliver(event)
    log = service.log.read_text()
    lines = [json.loads(line) for line in log.splitlines() if event["id"] in line]
    outcomes = [(line["level"], line["kind"], line["outcome"]) for line in lines if "outcome" in line]
    assert outcomes == [("WARNING", "charge.refunded", "recorded_paid_back")]
    for secret in (key, account, subscription["customer"], subscription["id"], API_KEY, SECRET):
        assert secret not in log
    for secret in (charge["id"], charge["payment_intent"]):
        assert f'"{secret}"' not in log
