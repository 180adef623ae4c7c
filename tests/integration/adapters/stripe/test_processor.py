"""Stripe's library against a fake server: requests, and the meaning of each failure."""

from __future__ import annotations

import socket

import pytest

from brskills_server.accounts.billing import Subscription
from brskills_server.accounts.errors import BillingUnavailable, NotAnEvent, UnknownCustomer
from brskills_server.adapters.stripe.processor import SAME_PAGE_SECONDS
from tests.conftest import Clock
from tests.fakes.stripe_api import PRICE
from tests.integration.adapters.stripe.conftest import processor_at

PAGE = "https://exemplo.com.br/conta"


def test_a_page_belongs_to_the_account(stripe, processor) -> None:
    page = stripe.pages[processor.checkout("acc_1", None, 0, PAGE).rsplit("/", 1)[1]]
    assert (page["client_reference_id"], page["_account"], page["customer"]) == ("acc_1", "acc_1", None)
    assert page["success_url"] == PAGE


def test_pressing_twice_leads_to_one_page(stripe) -> None:
    clock = Clock(SAME_PAGE_SECONDS * 10)
    processor = processor_at(stripe.base, clock)
    page = processor.checkout("acc_2", None, 0, PAGE)
    clock.now += SAME_PAGE_SECONDS - 1
    assert processor.checkout("acc_2", None, 0, PAGE) == page
    others = [processor.checkout("acc_3", None, 0, PAGE), processor.checkout("acc_2", None, 1, PAGE)]
    clock.now += 1
    others.append(processor.checkout("acc_2", None, 0, PAGE))
    assert len({page, *others}) == 4


def test_a_returning_customer_keeps_their_cards(stripe, processor) -> None:
    stripe.customers.add("cus_known")
    page = stripe.pages[processor.checkout("acc_4", "cus_known", 3, PAGE).rsplit("/", 1)[1]]
    assert page["customer"] == "cus_known"


def test_a_customer_deleted_at_stripe_may_subscribe_again(stripe, processor) -> None:
    page = stripe.pages[processor.checkout("acc_5", "cus_deleted", 3, PAGE).rsplit("/", 1)[1]]
    assert page["customer"] is None
    with pytest.raises(UnknownCustomer):
        processor.portal("cus_deleted", PAGE)


@pytest.mark.parametrize(
    ("price", "plan"), [(PRICE, "pro"), ("price_of_last_year", "pro"), ("price_of_a_mug", None)]
)
def test_a_subscription_as_it_is_now(stripe, processor, price, plan) -> None:
    made = stripe.subscribe("acc_6", "cus_6", "past_due", price)
    assert processor.subscription(made["id"]) == Subscription(made["id"], "acc_6", "cus_6", "past_due", plan)


def test_a_subscription_that_names_no_account(stripe, processor) -> None:
    assert processor.subscription(stripe.subscribe(None)["id"]).account == ""


ERROR = {"error": {"type": "api_error", "message": "for dev@exemplo.com.br"}}


@pytest.mark.parametrize("status", [400, 401, 402, 403, 409, 429, 500, 503])
def test_a_refused_request_is_sent_once_and_its_message_is_not_shown(stripe, processor, status) -> None:
    stripe.faults.append((status, ERROR))
    with pytest.raises(BillingUnavailable) as failure:
        processor.subscription("sub_any")
    assert len(stripe.calls) == 1
    assert str(status) in str(failure.value)
    assert "exemplo" not in str(failure.value)


def test_a_wrong_key_does_not_show_in_the_reason(stripe) -> None:
    with pytest.raises(BillingUnavailable, match="AuthenticationError 401") as failure:
        processor_at(stripe.base, STRIPE_API_KEY="sk_live_secret").portal("cus_1", PAGE)
    assert "sk_live" not in str(failure.value)


def test_an_event_of_a_subscription_of_which_stripe_knows_nothing_is_none(processor) -> None:
    with pytest.raises(NotAnEvent):
        processor.subscription("sub_of_another_shop")


def test_a_page_without_an_address_is_a_failure(stripe, processor) -> None:
    stripe.faults.append((200, {"id": "cs_1", "object": "checkout.session", "url": None}))
    with pytest.raises(BillingUnavailable):
        processor.checkout("acc_7", None, 0, PAGE)


def test_a_refused_connection_is_unavailable() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(BillingUnavailable, match="APIConnectionError"):
            processor_at(base).portal("cus_1", PAGE)


def test_a_silent_server_is_unavailable() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        base = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(BillingUnavailable, match="APIConnectionError"):
            processor_at(base, seconds=0.3).portal("cus_1", PAGE)


def test_an_answer_that_is_no_json(stripe, processor) -> None:
    stripe.faults.append((200, "<html>"))
    with pytest.raises(BillingUnavailable):
        processor.portal("cus_1", PAGE)
