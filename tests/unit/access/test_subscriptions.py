"""One delivery after the other: the right plan, once, whatever happens in between."""

import pytest

from access import StoreUnavailable


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
            assert subscriptions.record(f"evt_{status}_{before}", account, shop.fetch) == "recorded"
            found = accounts.get(account)
            assert (found.plan, found.monthly_limit) == (plan, {"pro": 10_000, "free": 100}[plan]), status


def test_a_price_of_which_we_do_not_know_buys_nothing(subscriptions, accounts, account, shop) -> None:
    shop.put(account, "active", plan=None)
    subscriptions.record("evt_1", account, shop.fetch)
    assert plan_of(accounts, account) == "free"
    assert accounts.get(account).billing.subscriptions["sub_1"].plan is None


def test_a_repeated_event_is_neither_read_nor_written_again(subscriptions, accounts, account, shop) -> None:
    shop.put(account, "active")
    assert subscriptions.record("evt_1", account, shop.fetch) == "recorded"
    before = accounts.get(account)
    assert subscriptions.record("evt_1", account, shop.fetch) == "duplicate"
    assert (shop.read, accounts.get(account)) == (1, before)


def test_an_event_is_remembered_for_forty_days(
    subscriptions, account, shop, store, clock, monkeypatch
) -> None:
    asked = []
    monkeypatch.setattr(store, "record_event", lambda *of: asked.append(of) or True)
    shop.put(account, "active")
    subscriptions.record("evt_1", account, shop.fetch)
    assert [of[:2] for of in asked] == [("evt_1", clock.now + 40 * 86_400)]


@pytest.mark.parametrize("told", ["acc_of_somebody_else", ""])
def test_the_subscription_and_not_the_event_says_whose_it_is(
    subscriptions, accounts, account, shop, told
) -> None:
    shop.put(account, "active")
    assert subscriptions.record("evt_1", told, shop.fetch) == "recorded"
    assert plan_of(accounts, account) == "pro"


@pytest.mark.parametrize("owner", ["acc_nobody", ""])
def test_nothing_is_kept_of_an_account_we_do_not_have(subscriptions, store, account, shop, owner) -> None:
    before = str(vars(store))
    shop.put(owner, "active")
    assert subscriptions.record("evt_1", account, shop.fetch) == "unknown_account"
    assert str(vars(store)) == before


def test_key_and_count_stay(subscriptions, accounts, ledger, shop) -> None:
    issued = accounts.open("free", "dev@exemplo.com.br")
    caller, before = accounts.identify(issued.api_key)
    for _ in range(7):
        ledger.reserve(caller)
    for event, status in [("evt_1", "active"), ("evt_2", "past_due"), ("evt_3", "canceled")]:
        shop.put(issued.account, status)
        subscriptions.record(event, issued.account, shop.fetch)
        caller, account = accounts.identify(issued.api_key)
        assert ledger.usage(caller)[0].calls == 7
        assert (account.keys, account.email, account.created_at) == (
            before.keys,
            before.email,
            before.created_at,
        )


def test_two_subscriptions_count_as_one_and_are_told_of(subscriptions, accounts, account, shop) -> None:
    shop.put(account, "active", "sub_1")
    shop.put(account, "active", "sub_2")
    assert subscriptions.record("evt_1", account, lambda: shop.fetch("sub_1")) == "recorded"
    assert subscriptions.record("evt_2", account, lambda: shop.fetch("sub_2")) == "recorded_double"
    shop.put(account, "canceled", "sub_1")
    assert subscriptions.record("evt_3", account, lambda: shop.fetch("sub_1")) == "recorded"
    found = accounts.get(account)
    billing = found.billing
    assert (found.plan, list(billing.subscriptions), billing.customer) == ("pro", ["sub_2"], "cus_of_sub_2")
    shop.put(account, "canceled", "sub_2")
    subscriptions.record("evt_4", account, lambda: shop.fetch("sub_2"))
    found = accounts.get(account)
    billing = found.billing
    assert (found.plan, billing.subscriptions, billing.customer) == ("free", {}, "cus_of_sub_2")


def test_a_standing_one_without_pay_is_no_ground_to_take_the_other(
    subscriptions, accounts, account, shop
) -> None:
    for event, (name, status) in enumerate([("sub_1", "unpaid"), ("sub_2", "active"), ("sub_1", "paused")]):
        shop.put(account, status, name)
        subscriptions.record(f"evt_{event}", account, lambda name=name: shop.fetch(name))
    assert plan_of(accounts, account) == "pro"


@pytest.mark.parametrize("status", ["active", "unpaid", "canceled"])
def test_enterprise_is_agreed_by_hand_and_stays(subscriptions, accounts, account, shop, status) -> None:
    accounts.set_plan(account, "enterprise")
    shop.put(account, status)
    assert subscriptions.record("evt_1", account, shop.fetch) == "recorded"
    found = accounts.get(account)
    assert (found.plan, found.monthly_limit) == ("enterprise", None)


def test_after_a_failure_of_the_store_the_event_is_taken_when_it_comes_again(
    subscriptions, accounts, account, shop, store, monkeypatch
) -> None:
    def fail(*_):
        raise StoreUnavailable("in the middle")

    shop.put(account, "active")
    with monkeypatch.context() as broken:
        broken.setattr(store, "record_event", fail)
        with pytest.raises(StoreUnavailable):
            subscriptions.record("evt_1", account, shop.fetch)
    assert (plan_of(accounts, account), store.has_event("evt_1")) == ("free", False)
    assert subscriptions.record("evt_1", account, shop.fetch) == "recorded"
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
            subscriptions.record("evt_1", account, shop.fetch)
    written = accounts.get(account)
    assert subscriptions.record("evt_1", account, shop.fetch) == "duplicate"
    assert accounts.get(account) == written


def test_a_failed_reading_leaves_nothing(subscriptions, account, store) -> None:
    def fail():
        raise RuntimeError("the processor is away")

    before = str(vars(store))
    with pytest.raises(RuntimeError):
        subscriptions.record("evt_1", account, fail)
    assert str(vars(store)) == before


def test_it_does_not_try_for_ever(subscriptions, account, shop, store, monkeypatch) -> None:
    shop.put(account, "active")
    monkeypatch.setattr(store, "record_event", lambda *_: False)
    with pytest.raises(StoreUnavailable):
        subscriptions.record("evt_1", account, shop.fetch)
    assert shop.read == 5


def test_counting_goes_on_between_reading_and_writing(subscriptions, accounts, ledger, shop) -> None:
    issued = accounts.open("free")
    caller, _ = accounts.identify(issued.api_key)
    shop.put(issued.account, "active")

    def fetch():
        ledger.reserve(caller)
        return shop.fetch()

    subscriptions.record("evt_1", issued.account, fetch)
    assert (shop.read, ledger.usage(caller)[0].calls) == (1, 1)
