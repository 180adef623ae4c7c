"""Deliveries in sequence: each event is applied once and sets the plan."""

import pytest

from brskills_server.accounts.billing import BillingEvent
from brskills_server.accounts.errors import StoreUnavailable
from tests.unit.accounts.conftest import about


def plan_of(accounts, account) -> str:
    return accounts.get(account).plan


PLANS_BY_STATUS = {
    "active": "pro",
    "trialing": "pro",
    "past_due": "pro",
    "unpaid": "free",
    "canceled": "free",
    "incomplete": "free",
    "incomplete_expired": "free",
    "paused": "free",
    "a_status_of_next_year": "free",
}


def test_the_status_decides_whatever_the_plan_was(subscriptions, accounts, account, shop) -> None:
    for status, plan in PLANS_BY_STATUS.items():
        for before in ("free", "pro"):
            accounts.set_plan(account, before)
            shop.put(account, status)
            assert subscriptions.record(about(f"evt_{status}_{before}", account), shop) == "recorded"
            found = accounts.get(account)
            assert (found.plan, found.monthly_limit) == (plan, {"pro": 10_000, "free": 100}[plan]), status


def test_a_limit_agreed_by_hand_lasts_as_long_as_its_plan(subscriptions, accounts, account, shop) -> None:
    shop.put(account, "active")
    subscriptions.record(about("evt_1", account), shop)
    accounts.set_limit(account, 25_000)
    for event, status, limit in (("evt_2", "past_due", 25_000), ("evt_3", "canceled", 100)):
        shop.put(account, status)
        subscriptions.record(about(event, account), shop)
        assert accounts.get(account).monthly_limit == limit, status


def test_an_unknown_price_grants_no_plan(subscriptions, accounts, account, shop) -> None:
    shop.put(account, "active", plan=None)
    subscriptions.record(about("evt_1", account), shop)
    assert plan_of(accounts, account) == "free"
    assert accounts.get(account).billing.subscriptions["sub_1"].plan is None


def test_a_repeated_event_is_neither_read_nor_written_again(subscriptions, accounts, account, shop) -> None:
    shop.put(account, "active")
    assert subscriptions.record(about("evt_1", account), shop) == "recorded"
    before = accounts.get(account)
    assert subscriptions.record(about("evt_1", account), shop) == "duplicate"
    assert (shop.read, accounts.get(account)) == (1, before)


def test_an_event_is_remembered_for_forty_days(
    subscriptions, account, shop, store, clock, monkeypatch
) -> None:
    asked = []
    monkeypatch.setattr(store, "record_event", lambda *of: asked.append(of) or True)
    shop.put(account, "active")
    subscriptions.record(about("evt_1", account), shop)
    assert [of[:2] for of in asked] == [("evt_1", clock.now + 40 * 86_400)]


@pytest.mark.parametrize("named", ["acc_of_another", ""])
def test_the_subscription_names_the_account_not_the_event(
    subscriptions, accounts, account, shop, named
) -> None:
    shop.put(account, "active")
    assert subscriptions.record(about("evt_1", named), shop) == "recorded"
    assert plan_of(accounts, account) == "pro"


@pytest.mark.parametrize("owner", ["acc_nobody", ""])
def test_an_event_of_an_unknown_account_changes_nothing(subscriptions, store, account, shop, owner) -> None:
    before = str(vars(store))
    shop.put(owner, "active")
    assert subscriptions.record(about("evt_1", account), shop) == "unknown_account"
    assert str(vars(store)) == before


def test_keys_and_counts_stay(subscriptions, accounts, ledger, shop) -> None:
    issued = accounts.open("free", "dev@exemplo.com.br")
    caller, before = accounts.identify(issued.api_key)
    for _ in range(7):
        ledger.reserve(caller)
    for event, status in [("evt_1", "active"), ("evt_2", "past_due"), ("evt_3", "canceled")]:
        shop.put(issued.account, status)
        subscriptions.record(about(event, issued.account), shop)
        caller, account = accounts.identify(issued.api_key)
        assert ledger.usage(caller)[0].calls == 7
        assert (account.keys, account.email, account.created_at) == (
            before.keys,
            before.email,
            before.created_at,
        )


def test_two_subscriptions_count_as_one_and_are_reported(subscriptions, accounts, account, shop) -> None:
    shop.put(account, "active", "sub_1")
    shop.put(account, "active", "sub_2")
    assert subscriptions.record(about("evt_1", account, "sub_1"), shop) == "recorded"
    assert subscriptions.record(about("evt_2", account, "sub_2"), shop) == "recorded_double"
    shop.put(account, "canceled", "sub_1")
    assert subscriptions.record(about("evt_3", account, "sub_1"), shop) == "recorded"
    found = accounts.get(account)
    billing = found.billing
    assert (found.plan, list(billing.subscriptions), billing.customer) == ("pro", ["sub_2"], "cus_of_sub_2")
    shop.put(account, "canceled", "sub_2")
    subscriptions.record(about("evt_4", account, "sub_2"), shop)
    found = accounts.get(account)
    billing = found.billing
    assert (found.plan, billing.subscriptions, billing.customer) == ("free", {}, "cus_of_sub_2")


def test_an_unpaid_subscription_does_not_end_another(subscriptions, accounts, account, shop) -> None:
    for event, (name, status) in enumerate([("sub_1", "unpaid"), ("sub_2", "active"), ("sub_1", "paused")]):
        shop.put(account, status, name)
        subscriptions.record(about(f"evt_{event}", account, name), shop)
    assert plan_of(accounts, account) == "pro"


@pytest.mark.parametrize("status", ["active", "unpaid", "canceled"])
def test_enterprise_is_agreed_by_hand_and_stays(subscriptions, accounts, account, shop, status) -> None:
    accounts.set_plan(account, "enterprise")
    shop.put(account, status)
    assert subscriptions.record(about("evt_1", account), shop) == "recorded"
    found = accounts.get(account)
    assert (found.plan, found.monthly_limit) == ("enterprise", None)


def test_an_event_is_recorded_by_its_repetition_after_a_fault(
    subscriptions, accounts, account, shop, store, monkeypatch
) -> None:
    def fail(*_):
        raise StoreUnavailable("in the middle")

    shop.put(account, "active")
    with monkeypatch.context() as broken:
        broken.setattr(store, "record_event", fail)
        with pytest.raises(StoreUnavailable):
            subscriptions.record(about("evt_1", account), shop)
    assert (plan_of(accounts, account), store.has_event("evt_1")) == ("free", False)
    assert subscriptions.record(about("evt_1", account), shop) == "recorded"
    assert plan_of(accounts, account) == "pro"


def test_a_write_that_was_done_though_its_answer_was_lost_is_not_done_twice(
    subscriptions, accounts, account, shop, store, monkeypatch
) -> None:
    def lose_the_answer(*of, record_event=store.record_event):
        record_event(*of)
        raise StoreUnavailable("no answer in time")

    shop.put(account, "active")
    with monkeypatch.context() as broken:
        broken.setattr(store, "record_event", lose_the_answer)
        with pytest.raises(StoreUnavailable):
            subscriptions.record(about("evt_1", account), shop)
    written = accounts.get(account)
    assert subscriptions.record(about("evt_1", account), shop) == "duplicate"
    assert accounts.get(account) == written


def test_conflicting_writes_are_tried_five_times(subscriptions, account, shop, store, monkeypatch) -> None:
    shop.put(account, "active")
    monkeypatch.setattr(store, "record_event", lambda *_: False)
    with pytest.raises(StoreUnavailable):
        subscriptions.record(about("evt_1", account), shop)
    assert shop.read == 5


def test_a_call_may_be_counted_between_reading_and_writing(
    subscriptions, accounts, ledger, shop, monkeypatch
) -> None:
    issued = accounts.open("free")
    caller, _ = accounts.identify(issued.api_key)
    shop.put(issued.account, "active")

    def count_and_read(name, read=shop.subscription):
        ledger.reserve(caller)
        return read(name)

    monkeypatch.setattr(shop, "subscription", count_and_read)
    subscriptions.record(about("evt_1", issued.account), shop)
    assert (shop.read, ledger.usage(caller)[0].calls) == (1, 1)


# ---- payments that went back ----


def test_a_paid_back_payment_grants_nothing_until_the_next(subscriptions, accounts, account, shop) -> None:
    for number, status in enumerate(["active", "trialing", "past_due"]):
        for paid_back, outcome, plan in ((True, "recorded_paid_back", "free"), (False, "recorded", "pro")):
            shop.put(account, status, paid_back=paid_back)
            event = about(f"evt_{number}_{paid_back}", account)
            assert subscriptions.record(event, shop) == outcome
            found = accounts.get(account)
            assert (found.plan, found.monthly_limit) == (plan, {"pro": 10_000, "free": 100}[plan])
            assert found.billing.subscriptions["sub_1"].prevents_another


REFUNDED = BillingEvent("evt_re", "charge.refunded", payment="pi_1")


@pytest.mark.parametrize("is_named", [True, False])
def test_an_event_of_a_payment_leads_to_its_subscription(
    subscriptions, accounts, account, shop, is_named
) -> None:
    shop.put(account, "active")
    subscriptions.record(about("evt_1", account), shop)
    shop.put(account, "active", paid_back=True)
    shop.payments["pi_1"] = ("sub_1", account if is_named else "")
    assert subscriptions.record(REFUNDED, shop) == "recorded_paid_back"
    assert (plan_of(accounts, account), shop.asked_of_payments) == ("free", 1)
    assert shop.read == (2 if is_named else 3)  # an account that the invoice does not name is read afterwards


def test_a_repeated_event_of_a_payment_asks_nothing(subscriptions, account, shop) -> None:
    shop.put(account, "active", paid_back=True)
    shop.payments["pi_1"] = ("sub_1", account)
    outcomes = [subscriptions.record(REFUNDED, shop) for _ in range(3)]
    assert outcomes == ["recorded_paid_back", "duplicate", "duplicate"]
    assert (shop.asked_of_payments, shop.read) == (1, 1)


def test_a_payment_of_no_subscription_is_ignored_and_not_kept(subscriptions, shop, store) -> None:
    before = str(vars(store))
    assert subscriptions.record(REFUNDED, shop) == "ignored"
    assert (str(vars(store)), shop.read) == (before, 0)
