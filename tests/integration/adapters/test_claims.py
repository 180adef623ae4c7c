"""One claimed request sent many times at once, over every store (by several processes: ``sql``)."""

from __future__ import annotations

from brskills_server.accounts.account import Account
from brskills_server.adapters.stores import AccessStore
from tests.integration.adapters.claimed_calls import CALLER, answered_in_threads
from tests.integration.adapters.sql.databases import MONTH, NOW
from tests.services.tables import THREADS


def test_fifty_at_once_are_all_answered_and_counted_once(store: AccessStore) -> None:
    assert store.open_account(Account("acc_1", "free", 1, {"k1": 0}, created_at=NOW))
    assert answered_in_threads(store, 50, THREADS) == 40  # those that do not fail
    account = store.read_account(CALLER.account)
    assert account is not None
    assert account.calls == {MONTH: 1}
