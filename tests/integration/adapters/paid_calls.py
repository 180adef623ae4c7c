"""A process that claims paid calls: ``python -m tests.integration.adapters.paid_calls ADDRESS TIMES THREADS``

prints how many it was allowed. Every thread is an instance of its own, with a loop and a view of the state.
"""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor

from brskills_server.registry.providers.catalogue import PAID_PROVIDERS
from brskills_server.registry.store import Store
from tests.integration.adapters.sql.databases import NOW, open_at
from tests.simulator.look_up import PAYER
from tests.simulator.process import provider_state, state_sync

__all__ = ["LIMIT", "NOW", "claimed_in_threads"]

LIMIT = 100


def claimed_in_threads(store: Store, times: int, threads: int) -> int:
    """How many paid calls these threads were allowed, each of which asks so many times."""
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(lambda _: asyncio.run(_claim(store, times)), range(threads)))


async def _claim(store: Store, times: int) -> int:
    """Each time as one look-up does it, with two others at once."""
    view = state_sync(store, lambda: NOW)
    state = provider_state([], view, lambda: NOW, LIMIT)
    claimed = 0
    for n in range(0, times, 3):
        await view.refresh()
        asked = [PAID_PROVIDERS["cnpjws" if at % 2 else "cnpja"] for at in range(n, min(n + 3, times))]
        claimed += sum(await asyncio.gather(*(state.acquire(one, PAYER) for one in asked)))
    return claimed


def main() -> None:
    """Claim, and print how many."""
    address, times, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print(claimed_in_threads(open_at(address, seconds=30).companies, times, threads))


if __name__ == "__main__":
    main()
