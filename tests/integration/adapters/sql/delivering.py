"""A process that delivers: ``python -m tests.integration.adapters.sql.delivering ADDRESS CALL MOMENT``.

It serves as the gateway's thread does. At the ``CALL``-th call of its store it kills itself ``before`` or
``after`` the call was applied, and its claims are short; with 0 it ends when nothing is pending.
"""

import os
import signal
import sys
import time
from threading import Lock
from typing import Any

from brskills_server.adapters.stores import AccessStore
from brskills_server.gateway.deliveries import Deliveries
from brskills_server.outbound.public_network import Network
from brskills_server.webhooks import deliverer
from brskills_server.webhooks.poster import Poster
from tests.integration.adapters.sql.databases import open_at

CLAIM_SECONDS = 2
FAR = 2**40


class Killed:
    """A store whose process ends at a call."""

    def __init__(self, store: AccessStore, call: int, moment: str) -> None:
        self._store, self._left, self._moment = store, call or -1, moment
        self._counting = Lock()

    def __getattr__(self, name: str) -> Any:
        run = getattr(self._store, name)

        def call(*arguments: Any) -> Any:
            with self._counting:
                self._left -= name != "claim_webhooks"  # which is called for nothing, too
                is_last = self._left == 0
            if is_last and self._moment == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            result = run(*arguments)
            if is_last:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return call


def is_done(store: AccessStore) -> bool:
    """Return whether nothing is pending."""
    return not any(store.due_deliveries(one, FAR, 1) for one in store.webhooks_of_all(("", ""), 1_000))


def main() -> None:
    """Deliver until it is killed or nothing is pending."""
    address, call, moment = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    if call:  # others are to wait for what it leaves; on a busy machine they would not wait for a live one
        deliverer.CLAIM_SECONDS = CLAIM_SECONDS
    deliverer.SLICE_SECONDS = 1.0
    store = open_at(address, seconds=30).access
    made = deliverer.Deliverer(Killed(store, call, moment), Poster("test", Network(allow_loopback=True)))
    deliveries = Deliveries(made)
    deliveries.start()
    while not is_done(store):
        time.sleep(0.2)
    deliveries.stop()


if __name__ == "__main__":
    main()
