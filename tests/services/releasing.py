"""Releases as the ledger orders them, for tests of what stores do with them."""

from itertools import count
from typing import Any

from brskills_server.accounts.account import DEMO, Caller
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.idempotency_record import Transition
from brskills_server.metering.ports import Release

_IDS = count()
_FOREVER = 2**40


def release(
    store: AccessStore,
    account: str,
    month: str,
    calls: int = 1,
    step: Transition | None = None,
    *,
    allowance: int | None = None,
    name: str = "",
    address: str = "",
) -> bool:
    """Take calls of an account back, under a new id or ``name``."""
    caller = Caller(account, "any-key", address)
    order = Release(name or f"release-{next(_IDS)}", caller, month, calls, _FOREVER, allowance)
    return store.release(order, step) if step else store.release(order)


def release_demo(store: AccessStore, address: str, *order: Any, **named: Any) -> bool:
    """Take calls of an address back that uses the demo key."""
    return release(store, DEMO, *order, address=address, **named)
