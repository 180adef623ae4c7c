"""What requests do with watches, over a store in memory."""

from __future__ import annotations

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import InvalidKey
from brskills_server.adapters.stores import AccessStore
from brskills_server.registry.snapshot.sandbox_history import sandbox_history
from brskills_server.watches.watch import KEPT_SECONDS, Added, Watch
from brskills_server.watches.watches import SIMULATED, Watches
from tests.conftest import Clock
from tests.services.store import in_memory

ONE, TWO = "33000167000101", "19131243000197"


@pytest.fixture
def store() -> AccessStore:
    found = in_memory()
    found.open_account(Account("acc_1", "free", 100, {"k1": 0}, created_at=0))
    return found


@pytest.fixture
def watches(store: AccessStore, clock: Clock) -> Watches:
    return Watches(store, clock)


def test_each_of_several_has_an_outcome_and_a_repeated_one_is_new_once(
    watches: Watches, clock: Clock
) -> None:
    wanted = [(ONE, "first"), (TWO, None), (ONE, None), (ONE, "last")]
    first, last = (Watch(ONE, reference, int(clock())) for reference in ("first", "last"))
    assert watches.add("acc_1", 1, wanted) == [
        Added(first, is_new=True),
        Added(None),
        Added(first),
        Added(last),
    ]
    assert watches.add("acc_1", 1, [(ONE, None)]) == [Added(last)]


def test_an_empty_reference_takes_the_place_of_the_one_before(watches: Watches, clock: Clock) -> None:
    now = int(clock())
    (added,) = watches.add("acc_1", 5, [(ONE, "")])
    assert added == Added(Watch(ONE, "", now), is_new=True)
    outcomes = watches.add("acc_1", 5, [(ONE, "a"), (ONE, ""), (TWO, None), (TWO, "b")])
    assert [outcome.watch for outcome in outcomes] == [
        Watch(ONE, "a", now), Watch(ONE, "", now), Watch(TWO, None, now), Watch(TWO, "b", now)
    ]  # fmt: skip
    assert watches.add("acc_1", 5, [(ONE, None), (TWO, "")]) == [
        Added(Watch(ONE, "", now)), Added(Watch(TWO, "", now))
    ]  # fmt: skip


def test_an_unknown_account_has_no_key(watches: Watches) -> None:
    with pytest.raises(InvalidKey):
        watches.add("acc_2", None, [(ONE, None)])


def test_the_sandbox_changes_for_who_watches_it(watches: Watches, clock: Clock) -> None:
    assert not watches.simulate("acc_1")
    assert watches.changes("acc_1", 0, 9) == []
    watches.add("acc_1", 5, [(SIMULATED, "cliente 7")])
    for _ in range(2):
        assert watches.simulate("acc_1")
    first, second = watches.changes("acc_1", 0, 9)
    assert first.change.id != second.change.id
    assert first.change[1:4] == (SIMULATED, "cliente 7", "2026-09-12")
    assert first.change.changes == sandbox_history(SIMULATED)["mudancas"][:2]
    assert watches.changes("acc_1", first.place, 9) == [second]
    clock.now += KEPT_SECONDS
    assert watches.changes("acc_1", 0, 9) == []
