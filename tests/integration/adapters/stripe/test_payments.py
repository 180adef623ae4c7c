"""Whether a subscription's last payment was paid back: the result, its requests and their errors."""

from __future__ import annotations

import threading

import pytest

from brskills_server.accounts.errors import BillingUnavailable
from tests.integration.adapters.stripe.conftest import processor_at

SUBSCRIPTION, INVOICES = "/v1/subscriptions/", "/v1/invoices"
PAYMENTS, REFUNDS, DISPUTES = "/v1/invoice_payments", "/v1/refunds", "/v1/disputes"


@pytest.fixture
def subscription(stripe):
    return stripe.subscribe("acc_1")


@pytest.fixture
def charge(stripe, subscription):
    (paid,) = stripe.payments.charges(subscription["latest_invoice"])
    return paid


@pytest.fixture
def paid_back(stripe, processor, subscription):
    """Return whether it was paid back, and the paths requested besides the subscription."""

    def ask() -> tuple[bool, list[str]]:
        stripe.calls.clear()
        found = processor.subscription(subscription["id"])
        assert stripe.calls.pop(0) == ("GET", SUBSCRIPTION + subscription["id"])
        return found.paid_back, [path for _, path in stripe.calls]

    return ask


def test_a_month_that_was_paid(paid_back) -> None:
    assert paid_back() == (False, [PAYMENTS])


def test_a_refund_counts_in_full_only(stripe, charge, paid_back) -> None:
    stripe.payments.refund(charge, 4_899)
    assert paid_back() == (False, [PAYMENTS])
    stripe.payments.refund(charge, 1)
    assert paid_back() == (True, [PAYMENTS, REFUNDS])


@pytest.mark.parametrize("charge_follows", [True, False])
@pytest.mark.parametrize("status", ["failed", "canceled"])
def test_a_refund_that_failed_in_the_end(stripe, charge, paid_back, status, charge_follows) -> None:
    refund = stripe.payments.refund(charge)
    stripe.payments.fail(refund, status, charge_follows)
    assert paid_back()[0] is False
    if charge_follows:
        stripe.payments.refund(charge)
        assert paid_back() == (True, [PAYMENTS, REFUNDS])


@pytest.mark.parametrize("status", ["pending", "requires_action"])
def test_a_refund_on_its_way_counts(stripe, charge, paid_back, status) -> None:
    stripe.payments.refund(charge)["status"] = status
    assert paid_back()[0] is True


@pytest.mark.parametrize(
    ("status", "gone"),
    [
        ("warning_needs_response", False),
        ("warning_under_review", False),
        ("warning_closed", False),
        ("needs_response", True),
        ("under_review", True),
        ("lost", True),
        ("appeal_needs_response", True),
        ("appeal_under_review", True),
        ("won", False),
        ("prevented", False),
        ("a_status_of_next_year", False),
    ],
)
def test_a_dispute(stripe, charge, paid_back, status, gone) -> None:
    stripe.payments.dispute(charge, status)
    assert paid_back() == (gone, [PAYMENTS, DISPUTES])


def test_one_open_dispute_is_enough(stripe, charge, paid_back) -> None:
    for status in ("won", "needs_response", "warning_closed"):
        stripe.payments.dispute(charge, status)
    assert paid_back()[0] is True


def test_a_refund_that_failed_and_a_dispute_that_was_lost(stripe, charge, paid_back) -> None:
    stripe.payments.fail(stripe.payments.refund(charge), charge_follows=False)
    stripe.payments.dispute(charge, "lost")
    assert paid_back() == (True, [PAYMENTS, REFUNDS, DISPUTES])


def test_the_next_invoice_grants_when_it_is_paid_and_not_before(
    stripe, subscription, charge, paid_back
) -> None:
    stripe.payments.refund(charge)
    invoice = stripe.payments.bill(subscription, paid=False)
    for status in ("draft", "open", "uncollectible", "void"):
        invoice["status"] = status
        assert paid_back() == (True, [INVOICES, PAYMENTS, REFUNDS])
    stripe.payments.settle(invoice)
    assert paid_back() == (False, [PAYMENTS])


def test_an_invoice_over_nothing_pays_for_nothing(stripe, subscription, charge, paid_back) -> None:
    stripe.payments.refund(charge)
    stripe.payments.bill(subscription, total=0)
    stripe.payments.bill(subscription, total=-100)
    assert paid_back() == (True, [INVOICES, PAYMENTS, REFUNDS])


def test_a_refund_before_the_last_payment_is_ignored(stripe, subscription, charge, paid_back) -> None:
    stripe.payments.bill(subscription)
    stripe.payments.refund(charge)
    assert paid_back() == (False, [PAYMENTS])


def test_an_invoice_paid_in_parts_is_back_when_all_of_them_are(stripe, subscription, paid_back) -> None:
    invoice = stripe.payments.bill(subscription, paid=False)
    stripe.payments.settle(invoice, parts=2)
    first, second = stripe.payments.charges(invoice["id"])
    stripe.payments.refund(first)
    assert paid_back()[0] is False
    stripe.payments.dispute(second)
    assert paid_back()[0] is True


def test_an_attempt_that_came_to_nothing_is_not_looked_at(stripe, subscription, charge, paid_back) -> None:
    stripe.payments.attempt(stripe.invoice(subscription))
    assert paid_back() == (False, [PAYMENTS])
    stripe.payments.refund(charge)
    assert paid_back() == (True, [PAYMENTS, REFUNDS])


def test_a_payment_outside_stripe_is_not_paid_back(stripe, subscription, charge, paid_back) -> None:
    stripe.payments.refund(charge)
    invoice = stripe.payments.bill(subscription, paid=False)
    stripe.payments.pay_outside(invoice)
    assert paid_back() == (False, [PAYMENTS])


@pytest.mark.parametrize("status", ["trialing", "active"])
def test_nothing_was_ever_paid(stripe, processor, status) -> None:
    made = stripe.subscribe("acc_1", status=status)
    stripe.payments.objects[made["latest_invoice"]] |= {"status": "paid", "total": 0}
    assert processor.subscription(made["id"]).pays
    made["latest_invoice"] = None
    assert processor.subscription(made["id"]).pays


@pytest.mark.parametrize("status", ["unpaid", "paused", "canceled", "incomplete", "incomplete_expired"])
def test_payments_of_an_inactive_subscription_are_not_requested(
    stripe, subscription, charge, paid_back, status
) -> None:
    stripe.payments.refund(charge)
    subscription["status"] = status
    assert paid_back() == (False, [])


# ---- whose payment it was ----


def test_a_payment_leads_to_its_subscription(stripe, processor, subscription, charge) -> None:
    assert processor.subscription_of(charge["payment_intent"]) == (subscription["id"], "acc_1")
    assert stripe.calls == [("GET", PAYMENTS)]


def test_a_subscription_that_names_no_account_is_found_too(stripe, processor) -> None:
    made = stripe.subscribe(None)
    (paid,) = stripe.payments.charges(made["latest_invoice"])
    assert processor.subscription_of(paid["payment_intent"]) == (made["id"], "")


def test_a_payment_of_something_else(stripe, processor, subscription) -> None:
    mug = stripe.payments.pay(None)
    assert processor.subscription_of(mug["payment_intent"]) is None
    single = stripe.payments.bill(subscription)
    single["parent"] = None
    (paid,) = stripe.payments.charges(single["id"])
    assert processor.subscription_of(paid["payment_intent"]) is None


# ---- faults ----

LIST = {"object": "list", "has_more": False}
ODD = {
    "refused": (403, {"error": {"type": "invalid_request_error", "message": "for dev@exemplo.com.br"}}),
    "broken": (500, "<html>"),
    "no JSON": (200, "<html>"),
    "empty": (200, {}),
    "a list of lists": (200, "[]"),
    "no data": (200, LIST),
    "data of null": (200, {**LIST, "data": None}),
    "data of texts": (200, {**LIST, "data": ["inpay_1"]}),
    "data without their fields": (200, {**LIST, "data": [{"object": "invoice_payment"}]}),
    "not expanded": (
        200,
        {**LIST, "data": [{"payment": {"type": "payment_intent", "payment_intent": "pi_1"}}]},
    ),
}


@pytest.mark.parametrize(("call", "odd"), [(n % 5, odd) for n, odd in enumerate([*ODD, *reversed(ODD)])])
def test_each_call_that_fails_is_a_failure_of_all(stripe, processor, subscription, charge, call, odd) -> None:
    stripe.payments.fail(stripe.payments.refund(charge), charge_follows=False)
    stripe.payments.dispute(charge, "won")
    stripe.payments.bill(subscription, paid=False)
    stripe.faults += [lambda: None] * call + [ODD[odd]]
    with pytest.raises(BillingUnavailable) as failure:
        processor.subscription(subscription["id"])
    assert len(stripe.calls) == call + 1
    assert "exemplo" not in str(failure.value)


@pytest.mark.parametrize("odd", ODD)
def test_an_unusable_answer_about_a_payment_is_unavailable(stripe, processor, charge, odd) -> None:
    stripe.faults.append(ODD[odd])
    with pytest.raises(BillingUnavailable):
        processor.subscription_of(charge["payment_intent"])


@pytest.mark.parametrize("call", [0, 4])
def test_no_call_is_waited_for_without_end(stripe, subscription, charge, call) -> None:
    stripe.calls.clear()
    hurried = processor_at(stripe.base, seconds=0.5)
    stripe.payments.fail(stripe.payments.refund(charge), charge_follows=False)
    stripe.payments.dispute(charge, "won")
    stripe.payments.bill(subscription, paid=False)
    given_up = threading.Event()
    stripe.faults += [lambda: None] * call + [lambda: given_up.wait(30) and None]
    with pytest.raises(BillingUnavailable, match="APIConnectionError"):
        hurried.subscription(subscription["id"])
    given_up.set()
    assert len(stripe.calls) == call + 1
