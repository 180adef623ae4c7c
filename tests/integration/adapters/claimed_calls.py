"""RepeatAttempts one request: ``python -m tests.integration.adapters.claimed_calls ADDRESS TIMES THREADS``

prints how many were answered. Every time is a worker of its own.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

from brskills_server.accounts.account import Caller
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from tests.integration.adapters.sql.databases import NOW, open_at

__all__ = ["CALLER", "answered_in_threads"]

CALLER = Caller("acc_1", "k1")


def answered_in_threads(store: AccessStore, times: int, threads: int) -> int:
    """How many of so many times are answered, each with a call that is counted, by whomever."""

    def answer(n: int) -> int:
        session = Session(Ledger(store, demo_limit=0, clock=lambda: NOW), CALLER)
        session.identify("key", b"asked")
        session.reserve()
        if n % 5 == 4:  # a fifth of them fails
            session.release()
            return 0
        session.settle()
        return session.calls

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(answer, range(times)))


def main() -> None:
    """Ask, and print how many were answered."""
    address, times, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print(answered_in_threads(open_at(address, seconds=30).access, times, threads))


if __name__ == "__main__":
    main()
