"""A process that counts calls: ``python -m tests.integration.adapters.sql.calls ADDRESS CALLS THREADS``.

Each counted call is a line with the month's count, printed once the store has answered.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

from brskills_server.metering.ports import CallRefused
from tests.integration.adapters.sql.databases import MONTH, NOW, OLDEST, open_at


def main() -> None:
    """Count, and print."""
    address, calls, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    store = open_at(address, seconds=30).access

    def call(_: int) -> None:
        try:
            count = store.reserve_calls("acc_1", "k1", MONTH, OLDEST, NOW).calls
        except CallRefused:
            return
        sys.stdout.write(f"{count}\n")
        sys.stdout.flush()

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(call, range(calls)))


if __name__ == "__main__":
    main()
