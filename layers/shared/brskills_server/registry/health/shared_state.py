"""What all instances know together of the providers, as one instance last read it.

It is one flat item of the store, read at most once a second by a process that needs providers, and
written only when something in it changes:

    open:<breaker>      a group's breaker: do not call before this time; 0 or absent when it is closed
    slot:<provider>:<n> when the n-th of a provider's calls per minute was last used
    seen:<provider>     its last success, and fail:<provider> its last failure: see ``brskills_server.registry.health.evidence``
    base:<provider>     the day of a dump's data, and ask:<provider> when to ask for the next
    paid                the beginning of the last day with paid calls, and in its seconds how many it had

Who asks providers changes it: ``brskills_server.registry.health.shared_view``. Who tells how they are only reads it:
``brskills_server.registry.health.provider_health``.
"""

from collections.abc import Callable
from math import inf

from brskills_server.registry.providers.results import MAX_RETRY_AFTER
from brskills_server.registry.store import Fields

__all__ = ["SharedState"]

READ_SECONDS = 1  # how long the shared state serves before it is read again
_MOST_AHEAD = MAX_RETRY_AFTER + 60  # no time in it is further ahead, by clocks that differ by a minute


class SharedState:
    """The shared state as last read; empty at first. ``clock``: epoch seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._fields: dict[str, str | int] = {}
        self._read_at = -inf

    @property
    def is_fresh(self) -> bool:
        """Whether it was read, or could not be, within a second."""
        return 0 <= self._clock() - self._read_at < READ_SECONDS

    def take(self, state: Fields | None) -> None:
        """Keep what was just read; ``None``: the store is out of reach, and the last state stays in use.

        A time that is more than a day ahead, or negative, is damaged and ignored.
        """
        self._read_at = self._clock()
        if state is not None:
            latest = self._now() + _MOST_AHEAD
            self._fields = {k: v for k, v in state.items() if not isinstance(v, int) or 0 <= v <= latest}

    def number(self, field: str) -> int:
        """A field that is a number or a time; 0 where it is absent or damaged."""
        value = self._fields.get(field)
        return value if isinstance(value, int) else 0

    def text(self, field: str) -> str | None:
        """A field that is a text."""
        value = self._fields.get(field)
        return value if isinstance(value, str) else None

    def _now(self) -> int:
        return int(self._clock())
