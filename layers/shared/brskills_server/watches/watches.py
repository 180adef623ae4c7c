"""Watches for requests: several at once, the sandbox's change, and the feed of what changed."""

import time
from collections.abc import Callable, Sequence
from itertools import takewhile
from secrets import token_hex

from brskills_server.accounts.errors import InvalidKey
from brskills_server.registry.snapshot.sandbox_history import sandbox_history
from brskills_server.watches.ports import WatchStore
from brskills_server.watches.watch import KEPT_SECONDS, Added, Change, Listed, Watch

SIMULATED = "SANDBOX1000170"
"""The number of the sandbox that changes whenever an account asks for it."""


class Watches:
    """Watches and feeds of accounts. Numbers are canonical; ``clock``: epoch seconds."""

    def __init__(self, store: WatchStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def add(self, account: str, limit: int | None, wanted: Sequence[tuple[str, str | None]]) -> list[Added]:
        """Watch companies, and return an outcome for each in their order.

        ``limit``: of the account's plan. ``wanted``: numbers with references; of a number that is repeated
        the last reference is stored, ``None`` is none. Raise ``InvalidKey`` for an unknown account,
        ``StoreUnavailable``.
        """
        references: dict[str, str | None] = {}
        for cnpj, reference in wanted:
            references[cnpj] = references.get(cnpj) if reference is None else reference
        now = int(self._clock())
        watches = [Watch(cnpj, reference, now) for cnpj, reference in references.items()]
        added = self._store.add_watches(account, watches, limit)
        if added is None:
            raise InvalidKey
        return _as_one_by_one(wanted, dict(zip(references, added, strict=True)))

    def simulate(self, account: str) -> bool:
        """Add the newest change of ``SIMULATED`` to the account's feed; ``False`` if it is not watched."""
        watch = self._store.read_watch(account, SIMULATED)
        if watch is None:
            return False
        changes = sandbox_history(SIMULATED)["mudancas"]
        day = changes[0]["data_base"]
        newest = list(takewhile(lambda change: change["data_base"] == day, changes))
        change = Change(token_hex(16), SIMULATED, watch.reference, day, newest)
        now = int(self._clock())
        self._store.add_changes([(account, change)], now, now + KEPT_SECONDS)
        return True

    def changes(self, account: str, after: int, limit: int) -> list[Listed]:
        """Return the first changes of an account's feed behind a place."""
        return self._store.list_changes(account, after, limit, int(self._clock()))


def _as_one_by_one(wanted: Sequence[tuple[str, str | None]], added: dict[str, Added]) -> list[Added]:
    """Return the outcomes as if each company had been added alone; ``added``: those of all, by number."""
    outcomes = []
    references: dict[str, str | None] = {cnpj: None for cnpj, outcome in added.items() if outcome.is_new}
    for cnpj, reference in wanted:
        outcome = added[cnpj]
        if reference is not None:
            references[cnpj] = reference
        if outcome.watch and cnpj in references:
            outcome = outcome._replace(watch=outcome.watch._replace(reference=references[cnpj]))
        outcomes.append(outcome)
        added[cnpj] = added[cnpj]._replace(is_new=False)
    return outcomes
