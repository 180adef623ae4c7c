"""Concurrent writers: ``python -m tests.integration.adapters.workers count|claim|pay ADDRESS TIMES THREADS``.

``count`` prints the month's count of each counted call, ``claim`` and ``pay`` the number of answered calls.
"""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

from brskills_server.accounts.account import Caller
from brskills_server.adapters.stores import AccessStore, Stores
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.ports import AccountCalls, CallRefused
from brskills_server.metering.session import Session
from brskills_server.registry.store import Store
from tests.integration.adapters.sql.databases import MONTH, NOW, OLDEST, open_at

PAID_LIMIT = 30


def answer_repeated_request(store: AccessStore, times: int, threads: int) -> int:
    """Send one request repeatedly, each time to another worker; return the number of answers."""

    def answer(n: int) -> int:
        session = Session(Ledger(store, demo_limit=0, clock=lambda: NOW), Caller("acc_1", "k1"))
        session.identify("key", b"request")
        session.reserve()
        if n % 5 == 4:  # a fifth fails
            session.release()
            return 0
        session.settle()
        return session.calls

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(answer, range(times)))


def claim_paid_calls(store: Store, times: int, threads: int) -> int:
    """Claim paid calls in threads with separate event loops; return the number of allowed ones."""
    # A store on a slow machine may take longer than a look-up waits.
    waiting = patch("brskills_server.registry.health.state_sync.STORE_SECONDS", 60)
    with waiting, ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(lambda _: asyncio.run(_claim(store, times)), range(threads)))


async def _claim(store: Store, times: int) -> int:
    """Claim up to three calls at once, as one look-up does."""
    # Slow to import, and other processes count calls alone.
    from brskills_server.registry.providers.catalogue import PAID_PROVIDERS
    from tests.simulator.look_up import PAYER
    from tests.simulator.process import provider_state, state_sync

    view = state_sync(store, lambda: NOW)
    state = provider_state([], view, PAID_LIMIT)
    claimed = 0
    for n in range(0, times, 3):
        await view.refresh()
        providers = [PAID_PROVIDERS["cnpjws" if at % 2 else "cnpja"] for at in range(n, min(n + 3, times))]
        claimed += sum(await asyncio.gather(*(state.acquire(one, PAYER) for one in providers)))
    return claimed


def _count(stores: Stores, times: int, threads: int) -> None:
    def call(_: int) -> None:
        try:
            count = stores.access.reserve_calls(AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW)).calls
        except CallRefused:
            return
        sys.stdout.write(f"{count}\n")
        sys.stdout.flush()

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(call, range(times)))


def main() -> None:
    """Run the named work."""
    work, address, times, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    stores = open_at(address, seconds=30)
    if work == "count":
        _count(stores, times, threads)
    elif work == "claim":
        print(answer_repeated_request(stores.access, times, threads))
    else:
        print(claim_paid_calls(stores.companies, times, threads))


if __name__ == "__main__":
    main()
