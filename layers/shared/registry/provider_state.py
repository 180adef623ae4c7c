"""What all instances know together of the providers: circuit breakers, quotas, last successes, dump dates.

It is one flat item of the store, read at most once a second by a process that needs providers, and
written only when something in it changes:

    open:<breaker>      a group's breaker: do not call before this time; 0 or absent when it is closed
    slot:<provider>:<n> when the n-th of a provider's calls per minute was last used
    seen:<provider>     its last success, updated at most once a minute
    base:<provider>     the day of a dump's data, and ask:<provider> when to ask for the next
    paid                the beginning of the last day with paid calls, and in its seconds how many it had

A provider limited to five calls a minute has five slots, and each call claims one that was not used for
a minute: so no minute, wherever it begins, holds more calls than allowed, however many instances run.
A paid call claims the next second of ``paid``; whoever is not the first to claim one tries the one after it.

Look-ups at once in one process share this state in one event loop. What one of them is about to claim it
takes in the process's own view first, so that the others neither claim it too nor spend a write on it.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from math import inf
from typing import Literal

from registry.attempt import MAX_RETRY_AFTER, AttemptResult, Failed, Skipped
from registry.brazilian_day import start_of_day
from registry.fail_safe_store import FailSafeStore
from registry.instant import iso_instant
from registry.providers import Provider
from registry.values import read_date

__all__ = ["ProviderHealth", "ProviderState"]

FAILURES_TO_OPEN = 5  # in a row, in one instance
OPEN_SECONDS = 10
READ_SECONDS = 1  # how long the shared state serves before it is read again
PROBE_SECONDS = 10  # how long the instance that probes an open group keeps the others away
SLOT_SECONDS = 62  # a minute, and two seconds for calls that overtake one another on their way
SEEN_SECONDS = 60
DUMP_DATE_SECONDS, DUMP_DATE_RETRY_SECONDS = 86_400, 600
_RETRY_AFTER = 5  # when a caller may try again though no breaker or quota says so


@dataclass(frozen=True, slots=True)
class ProviderHealth:
    """A provider's recent state. ``last_success`` and ``retry_at`` are ISO instants (UTC)."""

    id: str
    breaker: Literal["closed", "open", "half_open"]
    last_success: str | None
    retry_at: str | None


class ProviderState:
    """The shared state as this instance last read it, and its own count of failures in a row.

    ``clock``: epoch seconds. ``paid_per_day``: calls of paid addresses, at most
    ``registry.providers.MOST_PAID_PER_DAY``. While the store is out of reach the last state that was read
    stays in use.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        store: FailSafeStore,
        clock: Callable[[], float],
        paid_per_day: int = 0,
    ) -> None:
        self._providers = providers
        self._store = store
        self._clock = clock
        self._paid_per_day = paid_per_day
        self._view: dict[str, str | int] = {}
        self._failures: dict[str, int] = {}
        self._probes: set[str] = set()  # groups of which this instance makes the trial call
        self._changes: dict[str, str | int] = {}
        self._unwritten: dict[str, str | int] = {}  # changes on their way to the store, or to be tried again
        self._read_at = -inf
        self._is_reachable = True  # a fault of the store is believed until the next read
        self._lock = asyncio.Lock()  # no read overlaps a write: it would undo what is being written
        self._paying = asyncio.Lock()  # look-ups of one process do not compete for the same second

    async def refresh(self) -> None:
        """Read the shared state unless it was read within a second; look-ups at once share one read.

        No time in it can be more than a day ahead: a later one is damaged and ignored.
        """
        async with self._lock:
            if 0 <= self._clock() - self._read_at < READ_SECONDS:
                return
            state = await self._store.state()
            self._read_at = self._clock()
            self._is_reachable = state is not None
            if state is not None:
                latest = self._now() + MAX_RETRY_AFTER + SEEN_SECONDS
                view = {k: v for k, v in state.items() if not isinstance(v, int) or v <= latest}
                self._view = view | self._unwritten | self._changes

    def is_open(self, provider: Provider) -> bool:
        """Whether the provider's breaker keeps it from being called."""
        return self._number(f"open:{provider.breaker}") > self._now()

    async def acquire(self, provider: Provider) -> bool:
        """Whether the provider may be called now; claims the probe of an open group, and a quota slot.

        Without the store calls cannot be counted for all instances, so a provider with a quota is not called,
        nor a paid address. A paid call that was claimed counts, whatever becomes of it.
        """
        field, now = f"open:{provider.breaker}", self._now()
        until = self._number(field)
        if until > now:
            return False
        if until:
            if await self._claim(field, now + PROBE_SECONDS, at_most=now) is False:
                return False
            self._probes.add(provider.breaker)
        if provider.paid:
            return await self._claim_paid_call()
        return provider.per_minute is None or await self._claim_slot(provider)

    async def _claim_slot(self, provider: Provider) -> bool:
        for slot in sorted(_slots(provider), key=self._number):
            now = self._now()
            if self._number(slot) > now - SLOT_SECONDS or not self._is_reachable:
                return False
            if await self._claim(slot, now, at_most=now - SLOT_SECONDS):
                return True
        return False

    async def _claim_paid_call(self) -> bool:
        async with self._paying:
            today = start_of_day(self._clock())
            used = max(self._number("paid"), today)
            while used < today + self._paid_per_day and self._is_reachable:
                if await self._claim("paid", used + 1, at_most=used):
                    return True
                used += 1  # another instance has it; what this one knows is never ahead of the store
            return False

    async def _claim(self, field: str, value: int, at_most: int) -> bool | None:
        """``FailSafeStore.claim``, and for the other look-ups of this process it is taken at once."""
        self._view[field] = value
        if not self._is_reachable:
            return None
        claimed = await self._store.claim(field, value, at_most)
        self._is_reachable = claimed is not None
        return claimed

    def dump_date(self, provider: Provider) -> date | None:
        """The day of a dump's data, if known."""
        return read_date(self._view.get(f"base:{provider.id}"))

    async def claim_dump_date(self, provider: Provider) -> bool:
        """Whether this look-up is the one that asks for the day of a dump's data."""
        field, now = f"ask:{provider.id}", self._now()
        if provider.dump_date is None or self._number(field) > now:
            return False
        return await self._claim(field, now + DUMP_DATE_RETRY_SECONDS, at_most=now) is not False

    def record_dump_date(self, provider: Provider, day: date) -> None:
        """Remember the day of a dump's data."""
        self._set(f"base:{provider.id}", day.isoformat())
        self._set(f"ask:{provider.id}", self._now() + DUMP_DATE_SECONDS)

    def record_result(self, result: AttemptResult) -> None:
        """Open or close the provider's breaker.

        Five failures in a row open it for ten seconds, a ``Retry-After`` at once for as long as it says; the
        success of the trial call closes it. That of a call from before it opened does not.
        """
        breaker, now = result.provider.breaker, self._now()
        if isinstance(result, Skipped):
            return
        field, was_probe = f"open:{breaker}", breaker in self._probes
        self._probes.discard(breaker)
        if isinstance(result, Failed):
            failures = self._failures.get(breaker, 0) + 1
            opens = result.retry_after or was_probe or failures >= FAILURES_TO_OPEN
            self._failures[breaker] = 0 if opens else failures
            if opens:
                rest = now + (result.retry_after or OPEN_SECONDS)
                self._set(field, max(self._number(field), rest))
            return
        self._failures[breaker] = 0
        if was_probe:
            self._set(field, 0)
        if self._number(f"seen:{result.provider.id}") <= now - SEEN_SECONDS:
            self._set(f"seen:{result.provider.id}", now)

    async def publish(self) -> None:
        """Write what has changed, in one operation; nothing if nothing has.

        Of what could not be written only open breakers are tried again, as long as they are open: the other
        instances would not hear of a ``Retry-After``. Everything else the next success says anew.
        """
        async with self._lock:
            self._unwritten, self._changes = self._still_open() | self._changes, {}
            if self._unwritten and self._is_reachable:
                self._is_reachable = await self._store.set_state(self._unwritten)
                if not self._is_reachable:
                    self._read_at = self._clock()  # nobody else needs to find it out for a second
            self._unwritten = {} if self._is_reachable else self._still_open()

    def _still_open(self) -> dict[str, str | int]:
        now = self._now()
        return {
            field: value
            for field, value in self._unwritten.items()
            if field.startswith("open:") and isinstance(value, int) and value > now
        }

    def retry_after(self) -> int:
        """Seconds until the first provider may be called again."""
        return min((self._wait(provider) for provider in self._providers), default=_RETRY_AFTER)

    def _wait(self, provider: Provider) -> int:
        now = self._now()
        free = min((self._number(slot) + SLOT_SECONDS for slot in _slots(provider)), default=now)
        return max(self._number(f"open:{provider.breaker}") - now, free - now, _RETRY_AFTER)

    def health(self) -> list[ProviderHealth]:
        """Each provider's breaker and last success, as last read."""
        return [self._health_of(provider) for provider in self._providers]

    def _health_of(self, provider: Provider) -> ProviderHealth:
        until, seen = self._number(f"open:{provider.breaker}"), self._number(f"seen:{provider.id}")
        is_open = self.is_open(provider)
        return ProviderHealth(
            id=provider.id,
            breaker="open" if is_open else "half_open" if until else "closed",
            last_success=iso_instant(seen) if seen else None,
            retry_at=iso_instant(until) if is_open else None,
        )

    def _set(self, field: str, value: str | int) -> None:
        self._view[field] = self._changes[field] = value

    def _number(self, field: str) -> int:
        value = self._view.get(field)
        return value if isinstance(value, int) else 0

    def _now(self) -> int:
        return int(self._clock())


def _slots(provider: Provider) -> list[str]:
    return [f"slot:{provider.id}:{n}" for n in range(provider.per_minute or 0)]
