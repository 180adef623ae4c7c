"""Shards while a request times out, before or after it was carried out: no call is lost, no key survives."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import count as count_from
from typing import Any

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.plans import PLANS
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.adapters.dynamodb.table import Item, Table
from brskills_server.metering.idempotency_record import IdempotentRequest, Transition
from brskills_server.metering.ports import AccountCalls, CallRefused
from tests.integration.adapters.dynamodb.faulty import Faulty
from tests.services.releasing import release
from tests.services.simulated_dynamodb import SimulatedDynamoDB

NOW, MONTH, OLDEST = 1_795_000_000, "2026-11", "2025-10"
ITEMS, CALLS = 3, 20
KEYS = ("k1", "k2")

CHANGES: dict[str, tuple[int, Callable[[DynamoAccess], object]]] = {
    "split": (ITEMS, lambda store: store.set_plan("acc_1", "enterprise", None)),
    "split further": (ITEMS + 2, lambda store: store.set_plan("acc_1", "enterprise", None)),
    "join": (1, lambda store: store.set_plan("acc_1", "pro", 99)),
    "limit": (1, lambda store: store.set_limit("acc_1", 99)),
    "add": (ITEMS, lambda store: store.add_key("acc_1", "k2")),
    "rotate": (
        ITEMS,
        lambda store: store.rotate_key("acc_1", "k1", "k2", ends=NOW, expired=(), most=9, now=NOW),
    ),
    "revoke": (ITEMS, lambda store: store.revoke_key("acc_1", "k1", NOW)),
    "revoke all": (ITEMS, lambda store: store.revoke_all_keys("acc_1", NOW)),
    "delete": (0, lambda store: store.delete_account("acc_1")),
}
"""By name: how many items there are after it, and the change."""

carried_out = pytest.mark.parametrize("carried_out", [True, False])


class Place:
    """A table with an account of ``ITEMS`` items, and a process that knows them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, change: str = "") -> None:
        self.client = SimulatedDynamoDB()
        _set_items(monkeypatch, ITEMS)
        self.knowing = self.open()
        self.knowing.open_account(Account("acc_1", "enterprise", None, {"k1": 0}, created_at=NOW))
        self.counted = sum(self.accepts(self.knowing, "k1") for _ in range(CALLS))
        if change == "split":
            self.knowing.set_plan("acc_1", "pro", 10 * CALLS)
        if change.startswith("split"):
            _set_items(monkeypatch, CHANGES[change][0])

    def open(self, client: Any = None) -> DynamoAccess:
        return DynamoAccess(client or self.client, "Access", "Watches")

    def accepts(self, process: DynamoAccess, key: str) -> bool:
        try:
            process.reserve_calls(AccountCalls("acc_1", key, MONTH, OLDEST, NOW))
        except CallRefused:
            return False
        return True

    @property
    def items(self) -> list[Item]:
        return list(Table(self.client, "Access").scan("ACCOUNT#"))

    def check(self) -> None:
        """Check that every call is there once, and that every process knows the keys and counts."""
        found = self.open().read_usage("acc_1")
        if found is None:
            assert not any(self.accepts(self.knowing, "k1") for _ in range(ITEMS * 3))
            return
        assert found.calls == {MONTH: self.counted}
        for key in KEYS:
            for process in (self.knowing, self.open()):
                accepted = [self.accepts(process, key) for _ in range(ITEMS * 3)]
                assert set(accepted) == {found.is_active(key, NOW)}
                self.counted += sum(accepted)


def _set_items(monkeypatch: pytest.MonkeyPatch, items: int) -> None:
    monkeypatch.setitem(PLANS, "enterprise", PLANS["enterprise"]._replace(rate=items * 500))


@carried_out
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_that_failed_at_any_request_loses_no_call_and_is_finished_by_the_next(
    monkeypatch: pytest.MonkeyPatch, name: str, carried_out: bool
) -> None:
    items, change = CHANGES[name]
    for nth in count_from(1):
        place = Place(monkeypatch, name)
        faulty: Any = Faulty(place.client, nth, carried_out=carried_out)
        was_confirmed = True
        try:
            change(place.open(faulty))
        except StoreUnavailable:
            was_confirmed = False
        place.check()
        if not was_confirmed:
            change(place.open())
            place.check()
        assert len(place.items) == items
        if faulty.is_over:
            assert nth > 2
            return


@carried_out
def test_a_call_whose_answer_is_lost_is_counted_at_most_once(
    monkeypatch: pytest.MonkeyPatch, carried_out: bool
) -> None:
    place = Place(monkeypatch)
    for _ in range(30):
        faulty: Any = Faulty(place.client, 2, carried_out=carried_out)
        process = place.open(faulty)
        assert place.accepts(process, "k1")
        with pytest.raises(StoreUnavailable):
            process.reserve_calls(AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW))
        place.counted += 1 + carried_out
        place.check()


@carried_out
@pytest.mark.parametrize("nth", [2, 3, 4])
def test_a_request_whose_answer_is_lost_is_counted_with_its_record(
    monkeypatch: pytest.MonkeyPatch, nth: int, carried_out: bool
) -> None:
    place = Place(monkeypatch)
    for n in range(30):
        faulty: Any = Faulty(place.client, nth, carried_out=carried_out)
        process = place.open(faulty)
        assert place.accepts(process, "k1")
        transition = Transition(IdempotentRequest(str(n), "x"), 0, NOW, NOW + 9)
        with suppress(StoreUnavailable):
            process.reserve_calls(AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW, 3, transition))
        record = place.open().read_idempotency_record(str(n), NOW)
        place.counted += 1 + (record.calls if record else 0)
        place.check()


@carried_out
def test_a_release_whose_answer_is_lost_may_be_sent_again(
    monkeypatch: pytest.MonkeyPatch, carried_out: bool
) -> None:
    for nth in count_from(1):
        place = Place(monkeypatch)
        faulty: Any = Faulty(place.client, nth, carried_out=carried_out)
        process = place.open(faulty)  # which does not know in which items they were counted
        for _ in range(2):
            try:
                assert release(process, "acc_1", MONTH, CALLS - 1, name="once")
            except StoreUnavailable:
                continue
        place.counted -= CALLS - 1
        place.check()
        if faulty.is_over:
            assert nth > 2 + ITEMS
            return
