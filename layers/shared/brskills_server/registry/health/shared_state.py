"""The state of the providers that all processes share, as this process last read it.

It is one flat item of the store, read at most once a second, and written only when something in it changes:

    open:<breaker>      a circuit breaker: no calls before this time; 0 or absent when it is closed
    slot:<provider>:<n> when the n-th of a provider's calls per minute was last used
    seen:<provider>     its last success, and fail:<provider> its last failure (``evidence``); in
                        ``…:numbers`` rejected numbers are failures too, in ``…:companies`` only a
                        company that was found is a success, and only a denied control a failure
    control:<provider>  when it was last asked for a control because it denied a company
    base:<provider>     the day of a dump's data, and ask:<provider> when to request the next
    failed:<part>       when a call of a part of the service last failed (``telemetry.outcome``)
    paid                the beginning of the last day with paid calls, plus a second for each of them
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from brskills_server.registry.providers.results import MAX_RETRY_AFTER
from brskills_server.registry.store import Fields

READ_SECONDS = 1  # how long a read serves
_MOST_AHEAD = MAX_RETRY_AFTER + 60  # no time in it is further ahead, by clocks that differ by a minute


class SharedState:
    """The shared state as last read, with this process's own changes. ``clock``: epoch seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._fields: dict[str, str | int] = {}
        self._changes: dict[str, str | int] = {}
        self._read_at = -inf

    @property
    def now(self) -> int:
        """The current second (epoch)."""
        return int(self.clock())

    @property
    def is_fresh(self) -> bool:
        """Whether it was read, or could not be, within a second."""
        return 0 <= self.clock() - self._read_at < READ_SECONDS

    def take(self, stored: Fields | None, unwritten: Fields | None = None) -> None:
        """Keep what was just read, under changes still to be written; after ``None`` the last read stays.

        A time that is more than a day ahead, or negative, is damaged and ignored.
        """
        self._read_at = self.clock()
        if stored is not None:
            state = {**stored, **(unwritten or {}), **self._changes}
            latest = int(self._read_at) + _MOST_AHEAD
            self._fields = {k: v for k, v in state.items() if not isinstance(v, int) or 0 <= v <= latest}

    def number(self, field: str) -> int:
        """Return a field that is a number or a time; 0 where it is absent or damaged."""
        value = self._fields.get(field)
        return value if isinstance(value, int) else 0

    def text(self, field: str) -> str | None:
        """Return a field that is a text."""
        value = self._fields.get(field)
        return value if isinstance(value, str) else None

    def set(self, field: str, value: str | int) -> None:
        """Change a field; ``StateSync.publish`` writes the change for the other processes."""
        self._fields[field] = self._changes[field] = value

    def set_claimed(self, field: str, value: int) -> None:
        """Change a field that is being claimed in the store."""
        self._fields[field] = value

    def pop_changes(self) -> dict[str, str | int]:
        """Return what was set since the last time."""
        changes, self._changes = self._changes, {}
        return changes
