"""Shards of an account: what a call costs, which processes know of them, and what their items hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from brskills_server.accounts.account import Account, Caller
from brskills_server.accounts.calendar import KEPT_MONTHS, shift_month
from brskills_server.accounts.plans import PLANS
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.adapters.dynamodb.shards import MOST, items_needed, read_items
from brskills_server.adapters.dynamodb.table import Item, Table
from brskills_server.metering.idempotency_record import IdempotentRequest, Transition
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.ports import AccountCalls, CallRefused
from brskills_server.metering.session import Session
from tests.integration.adapters.dynamodb.faulty import Listed, Overtaken
from tests.services.releasing import release
from tests.services.tables import new_table

NOW, MONTH, OLDEST = 1_795_000_000, "2026-11", "2025-10"
OWN = "ACCOUNT#acc_1"
ITEMS = 4


def set_rate(monkeypatch: pytest.MonkeyPatch, rate: int) -> None:
    monkeypatch.setitem(PLANS, "enterprise", PLANS["enterprise"]._replace(rate=rate))


@pytest.fixture
def tables(client: Any) -> list[str]:
    return [new_table(client, name) for name in ("Access", "Watches")]


@pytest.fixture
def open_process(client: Any, tables: list[str]) -> Callable[[], DynamoAccess]:
    return lambda: DynamoAccess(client, tables[0], tables[1])


@pytest.fixture
def store(open_process: Callable[[], DynamoAccess], monkeypatch: pytest.MonkeyPatch) -> DynamoAccess:
    set_rate(monkeypatch, ITEMS * 500)
    store = open_process()
    assert store.open_account(Account("acc_1", "enterprise", None, {"k1": 0}, created_at=NOW))
    return store


@pytest.fixture
def listed(client: Any) -> Any:
    """A client that lists its requests."""
    return Listed(client)


@pytest.fixture
def process(listed: Any, tables: list[str]) -> DynamoAccess:
    """A process whose requests are listed."""
    return DynamoAccess(listed, tables[0], tables[1])


def count(store: DynamoAccess, key: str = "k1", times: int = 1, month: str = MONTH) -> None:
    for _ in range(times):
        store.reserve_calls(AccountCalls("acc_1", key, month, OLDEST, NOW))


def items_of(client: Any, tables: list[str]) -> list[Item]:
    return sorted(Table(client, tables[0]).scan("ACCOUNT#"), key=lambda item: str(item["pk"]))


def calls_of(store: DynamoAccess) -> dict[str, int]:
    found = store.read_usage("acc_1")
    assert found is not None
    return dict(found.calls)


@pytest.mark.parametrize(
    ("plan", "rate", "limit", "needed"),
    [
        ("enterprise", 500, None, 1),
        ("enterprise", 501, None, 2),
        ("enterprise", 10_000, None, 20),
        ("enterprise", 10_000, 10**9, 1),
        ("enterprise", 10**6, None, MOST),
        ("pro", 10_000, None, 1),
    ],
)
def test_the_rate_of_a_plan_says_how_many_items_count(
    monkeypatch: pytest.MonkeyPatch, plan: str, rate: int, limit: int | None, needed: int
) -> None:
    set_rate(monkeypatch, rate)
    assert items_needed(plan, limit) == needed


def test_the_plans_as_they_are_take_one_item() -> None:
    assert {items_needed(plan.id, plan.monthly_limit) for plan in PLANS.values()} == {1}


def test_a_call_is_one_write_and_no_read_whatever_item_counts_it(
    listed: Any, process: DynamoAccess, store: DynamoAccess
) -> None:
    count(store, times=30)
    count(process, times=60)
    assert {operation for operation, _ in listed.requests} == {"update_item"}
    assert listed.requests[0] == ("update_item", [OWN])
    assert {key for _, (key,) in listed.requests} == {OWN, *(f"{OWN}#{n}" for n in range(1, ITEMS))}
    assert len(listed.requests) == 60
    del listed.requests[:]
    for n in range(20):
        wanted = AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW, 7)
        process.reserve_calls(wanted)
        process.reserve_calls(
            wanted._replace(transition=Transition(IdempotentRequest(str(n), "x"), 0, NOW, NOW))
        )
    of_shards = [one for one in listed.requests if OWN not in one[1]]
    assert {operation for operation, _ in of_shards} == {"update_item", "transact_write_items", "get_item"}
    assert len({keys[0] for operation, keys in of_shards if operation == "get_item"}) == ITEMS - 1
    assert calls_of(store) == {MONTH: 90 + 280}


def test_a_release_is_one_transaction_with_the_item_that_counted(
    listed: Any, process: DynamoAccess, store: DynamoAccess
) -> None:
    count(store, times=60)
    for _ in range(20):
        count(process)
        assert release(process, "acc_1", MONTH)
    counted = [keys for operation, keys in listed.requests if operation == "update_item"]
    released = [keys[:1] for operation, keys in listed.requests if operation == "transact_write_items"]
    assert released == counted
    assert len({key for (key,) in counted}) == ITEMS
    assert len(listed.requests) == 40


def test_every_item_has_the_keys_and_stays_below_a_kilobyte(
    client: Any, tables: list[str], store: DynamoAccess
) -> None:
    digests = [f"{n:064x}" for n in range(5)]
    for digest in digests:
        assert store.add_key("acc_1", digest)
    for back in range(KEPT_MONTHS):
        store.reserve_calls(AccountCalls("acc_1", "k1", shift_month(MONTH, -back), OLDEST, NOW, 10**9))
    own, *shards = items_of(client, tables)
    assert own["shards"] == ITEMS == 1 + len(shards)
    for shard in shards:
        assert (shard["keys"], shard["plan"]) == (own["keys"], "enterprise")
        full = {**shard, **{f"calls#{shift_month(MONTH, -back)}": 10**9 for back in range(KEPT_MONTHS)}}
        assert len(str(full)) < 1024


@pytest.mark.parametrize("ended", ["revoked", "all revoked", "deleted"])
def test_a_process_that_knows_old_shards_accepts_no_ended_key(
    open_process: Callable[[], DynamoAccess], store: DynamoAccess, ended: str
) -> None:
    process = open_process()
    count(process, times=20)
    if ended == "revoked":
        assert store.revoke_key("acc_1", "k1", NOW)
    elif ended == "all revoked":
        assert store.revoke_all_keys("acc_1", NOW)
    else:
        assert store.delete_account("acc_1")
    for _ in range(20):
        with pytest.raises(CallRefused):
            count(process)


@pytest.mark.parametrize("is_idempotent", [False, True])
def test_calls_with_an_ended_key_send_no_others_to_the_accounts_item(
    listed: Any, process: DynamoAccess, store: DynamoAccess, is_idempotent: bool
) -> None:
    count(process, times=60)
    assert store.add_key("acc_1", "k2")
    assert store.revoke_key("acc_1", "k1", NOW)
    ended = AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW)
    del listed.requests[:]
    for n in range(30):
        transition = Transition(IdempotentRequest(str(n), "x"), 0, NOW, NOW) if is_idempotent else None
        with pytest.raises(CallRefused):
            process.reserve_calls(ended._replace(transition=transition))
    of_own = sum(OWN in keys for _, keys in listed.requests)
    assert len(listed.requests) == 30
    assert of_own < 30 / 2
    del listed.requests[:]
    count(process, "k2", times=60)
    assert listed.requests.count(("update_item", [OWN])) < 60 / 2
    assert len(listed.requests) == 60


def test_uncounted_work_is_written_to_any_item_and_is_one_sum(
    client: Any, tables: list[str], listed: Any, process: DynamoAccess, store: DynamoAccess
) -> None:
    count(process, times=20)
    del listed.requests[:]
    for _ in range(60):
        process.count_uncounted("acc_1", "k1", MONTH, NOW, 2)
    assert len(listed.requests) == 60
    assert len({keys[0] for _, keys in listed.requests}) == ITEMS
    with pytest.raises(CallRefused):
        process.count_uncounted("acc_1", "k9", MONTH, NOW, 2)
    assert store.set_plan("acc_1", "pro", 99)
    (own,) = items_of(client, tables)
    assert (own[f"uncounted#{MONTH}"], own[f"calls#{MONTH}"]) == (120, 20)
    assert process.count_uncounted("acc_1", "k1", MONTH, NOW, 2) == ("pro", 122)


def test_a_repeated_request_reads_no_shard(listed: Any, process: DynamoAccess, store: DynamoAccess) -> None:
    ledger = Ledger(process, 0, lambda: NOW)
    for _ in range(9):
        session = Session(ledger, Caller("acc_1", "k1"))
        session.identify("name", b"")
        session.reserve()
        session.settle()
        first, requests = listed.requests[:], listed.requests
        del requests[:]
    assert session.replayed
    assert not [keys for _, keys in first if any(key.startswith(f"{OWN}#") for key in keys)]


@pytest.mark.parametrize("rate", [3_000, 1_000, 500])
def test_a_process_that_knows_another_number_counts_every_call(
    client: Any,
    tables: list[str],
    open_process: Callable[[], DynamoAccess],
    store: DynamoAccess,
    monkeypatch: pytest.MonkeyPatch,
    rate: int,
) -> None:
    process = open_process()
    count(process, times=20)
    set_rate(monkeypatch, rate)
    assert store.set_plan("acc_1", "enterprise", None)
    items = max(ITEMS, rate // 500)  # which are not joined while there is no limit
    assert len(items_of(client, tables)) == items
    count(process, times=60)
    assert release(process, "acc_1", MONTH, 75)
    assert calls_of(store) == {MONTH: 5}
    counting = [item["pk"] for item in items_of(client, tables) if item.get(f"calls#{MONTH}") is not None]
    assert len(counting) == items


def test_keys_that_change_while_an_account_is_split_are_in_every_shard(
    client: Any, tables: list[str], open_process: Callable[[], DynamoAccess], store: DynamoAccess
) -> None:
    store.set_plan("acc_1", "pro", 100)
    late: Any = Overtaken(client, "transact_write_items", lambda: store.add_key("acc_1", "k2"))
    assert DynamoAccess(late, tables[0], tables[1]).set_plan("acc_1", "enterprise", None)
    assert [item["keys"] for item in items_of(client, tables)] == [{"k1": 0, "k2": 0}] * ITEMS


def test_an_account_that_is_split_while_its_keys_change_has_them_in_every_shard(
    client: Any, tables: list[str], store: DynamoAccess
) -> None:
    for number, plan in enumerate([("enterprise", None), ("pro", 100)]):
        store.set_plan("acc_1", *(("pro", 100) if number == 0 else ("enterprise", None)))

        def change(plan: tuple[str, int | None] = plan) -> bool:
            return store.set_plan("acc_1", *plan)

        late: Any = Overtaken(client, "transact_write_items", change)
        key = f"new-{number}"
        assert DynamoAccess(late, tables[0], tables[1]).add_key("acc_1", key)
        found = items_of(client, tables)
        assert len(found) == (ITEMS if number == 0 else 1)
        assert all(key in item["keys"] for item in found)


def test_a_limit_that_is_set_while_an_account_is_split_stays(
    client: Any, tables: list[str], store: DynamoAccess
) -> None:
    store.set_plan("acc_1", "pro", 100)
    late: Any = Overtaken(client, "transact_write_items", lambda: store.set_limit("acc_1", 3))
    assert DynamoAccess(late, tables[0], tables[1]).set_plan("acc_1", "enterprise", None)
    (item,) = items_of(client, tables)
    assert item["monthly_limit"] == 3


def test_a_usage_that_is_read_while_an_account_is_joined_and_split_again_has_every_call(
    client: Any, tables: list[str], open_process: Callable[[], DynamoAccess], store: DynamoAccess
) -> None:
    def join_and_split() -> None:
        assert open_process().set_plan("acc_1", "pro", 999)
        assert open_process().set_plan("acc_1", "enterprise", None)

    for nth in range(ITEMS):
        count(open_process(), times=40)
        overtaken: Any = Overtaken(client, "get_item", *[lambda: None] * nth, join_and_split)
        assert calls_of(DynamoAccess(overtaken, tables[0], tables[1])) == {MONTH: 40 * (nth + 1)}


def test_a_join_that_is_overtaken_by_another_split_loses_no_call(
    client: Any, tables: list[str], open_process: Callable[[], DynamoAccess], store: DynamoAccess
) -> None:
    def join_split_and_close() -> None:
        other = open_process()
        assert other.set_plan("acc_1", "pro", 999)
        assert other.set_plan("acc_1", "enterprise", None)
        count(open_process(), times=40)
        other._table.together(*other._closing(read_items(other._table, "acc_1")))

    for nth in range(
        2
    ):  # before the transaction that takes the shards' keys, and that which adds their calls
        before = calls_of(store).get(MONTH, 0)
        overtaken: Any = Overtaken(
            client, "transact_write_items", *[lambda: None] * nth, join_split_and_close
        )
        assert DynamoAccess(overtaken, tables[0], tables[1]).set_plan("acc_1", "pro", 999)
        assert calls_of(store) == {MONTH: before + 40}
        assert store.set_plan("acc_1", "enterprise", None)


def test_a_release_while_shards_are_joined_is_not_lost(
    client: Any, tables: list[str], open_process: Callable[[], DynamoAccess], store: DynamoAccess
) -> None:
    process = open_process()
    count(process, times=40)

    def release_one() -> None:
        assert release(process, "acc_1", MONTH)

    before_both: Any = Overtaken(client, "transact_write_items", release_one, release_one)
    assert DynamoAccess(before_both, tables[0], tables[1]).set_limit("acc_1", 100)
    assert calls_of(store) == {MONTH: 38}
    assert len(items_of(client, tables)) == 1


def test_old_months_are_dropped_in_every_item_but_only_by_the_account_as_a_whole(
    client: Any, tables: list[str], store: DynamoAccess
) -> None:
    months = [shift_month(MONTH, -back) for back in range(KEPT_MONTHS + 1)]
    for month in reversed(months[1:]):
        count(store, times=20, month=month)
    assert calls_of(store) == dict.fromkeys(months[1:], 20)
    count(store, times=20)
    assert calls_of(store) == {**dict.fromkeys(months[1:-1], 20), MONTH: 20}
    assert not any(f"calls#{months[-1]}" in item for item in items_of(client, tables))


def test_an_event_sets_no_plan_of_an_account_with_shards(store: DynamoAccess) -> None:
    before = store.read_account("acc_1")
    assert before is not None
    billing = replace(before.billing, customer="cus_1", version=1)
    assert not store.record_event("evt_1", NOW, before, replace(before, plan="free", billing=billing))
    assert store.record_event("evt_1", NOW, before, replace(before, billing=billing))
