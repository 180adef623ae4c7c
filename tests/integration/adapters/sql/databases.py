"""Relational stores opened by address."""

from __future__ import annotations

from importlib import import_module

from brskills_server.accounts.account import Account
from brskills_server.adapters.stores import Stores
from tests.services.store import Destination

NOW = 1_795_000_000
MONTH, OLDEST = "2026-11", "2025-10"


def open_at(address: str, seconds: float = 5) -> Stores:
    """Return the stores at an address in the form of ``STORE``."""
    adapter = import_module(f"brskills_server.adapters.{address.partition(':')[0]}")
    stores: Stores = adapter.open_stores(Destination(address, seconds))
    return stores


def new_account(stores: Stores, limit: int | None) -> None:
    """Prepare the database and open the account ``acc_1`` with the key ``k1``."""
    stores.open_maintenance().prepare()
    assert stores.access.open_account(Account("acc_1", "pro", limit, {"k1": 0}, created_at=NOW))


def counted(stores: Stores) -> int:
    """Return the calls of ``acc_1``."""
    account = stores.access.read_account("acc_1")
    return account.calls.get(MONTH, 0)
