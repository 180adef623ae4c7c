"""What all instances know of the providers together: breakers, quotas, last successes, dump dates.

It is one flat item of the store, read once in every look-up that needs a provider, and written only
when something in it changes:

    open:<group>        the breaker: not to be asked before this time; 0 or absent when it is closed
    slot:<provider>:<n> when the n-th of a small provider's calls a minute was last used
    seen:<provider>     its last success, brought up to date at most once a minute
    base:<provider>     the day of a dump's data, and ask:<provider> when to look for the next

A small provider with five calls a minute has five slots, and a call claims one that has rested for a
minute: so no minute, wherever it begins, holds more calls than allowed, however many instances run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Literal

from registry.outcome import LONGEST_REST, Failed, Found, Missing, Outcome
from registry.providers import Provider
from registry.store import PatientStore
from registry.values import read_date

__all__ = ["SourceHealth", "Sources"]

FAILURES_TO_OPEN = 5  # in a row, in one instance
OPEN_SECONDS = 10
PROBE_SECONDS = 10  # how long the one instance that tries a resting group keeps the others away
SLOT_SECONDS = 62  # a minute, and two seconds for calls that overtake one another on their way
SEEN_SECONDS = 60
DATE_SECONDS, DATE_RETRY_SECONDS = 86_400, 600
_AFTER_FAILURE = 5  # when a caller may try again though no breaker says so


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """A provider's recent state. ``last_success`` and ``retry_at`` are ISO instants (UTC)."""

    id: str
    breaker: Literal["closed", "open", "half_open"]
    last_success: str | None
    retry_at: str | None


class Sources:
    """The providers' shared state as this instance last saw it, and its own count of failures in a row.

    ``clock``: epoch seconds.
    """

    def __init__(self, providers: Sequence[Provider], clock: Callable[[], float]) -> None:
        self._providers = providers
        self._clock = clock
        self._view: dict[str, str | int] = {}
        self._failures: dict[str, int] = {}
        self._changes: dict[str, str | int] = {}

    async def refresh(self, store: PatientStore) -> None:
        """Read the shared state; when the store is out of reach, what was last known goes on counting.

        Nobody is ever told to wait for more than a day: a later time is damage, and as good as none.
        """
        state = await store.state()
        if state is not None:
            latest = self._now() + LONGEST_REST + SEEN_SECONDS
            self._view = {k: v for k, v in state.items() if not isinstance(v, int) or v <= latest}

    async def admit(self, provider: Provider, store: PatientStore) -> bool:
        """Whether the provider may be called now; takes the probe of a resting group, and a quota slot.

        Without the store nobody can count for all instances, so a small provider is left alone.
        """
        until, now = self._number(f"open:{provider.group}"), self._now()
        if until > now:
            return False
        if until:
            probe = await store.claim(f"open:{provider.group}", now + PROBE_SECONDS, at_most=now)
            if probe is False:
                return False
        return provider.per_minute is None or await self._take_slot(provider, provider.per_minute, store)

    async def _take_slot(self, provider: Provider, slots: int, store: PatientStore) -> bool:
        fields = [f"slot:{provider.id}:{n}" for n in range(slots)]
        for field in sorted(fields, key=self._number):
            now = self._now()
            if self._number(field) > now - SLOT_SECONDS:
                return False
            if await store.claim(field, now, at_most=now - SLOT_SECONDS):
                self._view[field] = now
                return True
        return False

    def data_base(self, provider: Provider) -> date | None:
        """The day of a dump's data, if known."""
        return read_date(self._view.get(f"base:{provider.id}"))

    async def wants_date(self, provider: Provider, store: PatientStore) -> bool:
        """Whether it falls to this look-up to ask a dump for the day of its data."""
        field, now = f"ask:{provider.id}", self._now()
        if provider.data_date is None or self._number(field) > now:
            return False
        self._view[field] = now + DATE_RETRY_SECONDS
        return await store.claim(field, now + DATE_RETRY_SECONDS, at_most=now) is not False

    def note_date(self, provider: Provider, day: date) -> None:
        """Remember the day of a dump's data."""
        self._change(f"base:{provider.id}", day.isoformat())
        self._change(f"ask:{provider.id}", self._now() + DATE_SECONDS)

    def note(self, outcome: Outcome) -> None:
        """Draw the breaker's conclusions from an outcome.

        Five failures in a row open a group's breaker for ten seconds, a request for rest at once for as long
        as it asks; one success closes it.
        """
        group, now = outcome.provider.group, self._now()
        if isinstance(outcome, Found | Missing):
            self._failures[group] = 0
            if self._number(f"open:{group}"):
                self._change(f"open:{group}", 0)
            if self._number(f"seen:{outcome.provider.id}") <= now - SEEN_SECONDS:
                self._change(f"seen:{outcome.provider.id}", now)
        elif isinstance(outcome, Failed):
            self._failures[group] = self._failures.get(group, 0) + 1
            probing = self._number(f"open:{group}") > 0
            if outcome.retry_after or probing or self._failures[group] >= FAILURES_TO_OPEN:
                until = now + (outcome.retry_after or OPEN_SECONDS)
                self._change(f"open:{group}", max(until, self._number(f"open:{group}")))
                self._failures[group] = 0

    async def share(self, store: PatientStore) -> None:
        """Write what has changed, in one go; nothing when nothing has."""
        changes, self._changes = self._changes, {}
        if changes:
            await store.set_state(changes)

    def retry_after(self) -> int:
        """Seconds until some provider may be asked again."""
        return min((self._rest(provider) for provider in self._providers), default=_AFTER_FAILURE)

    def _rest(self, provider: Provider) -> int:
        now = self._now()
        slots = [self._number(f"slot:{provider.id}:{n}") for n in range(provider.per_minute or 0)]
        full = min(slots) + SLOT_SECONDS - now if slots else 0
        return max(self._number(f"open:{provider.group}") - now, full, _AFTER_FAILURE)

    def health(self) -> list[SourceHealth]:
        """Each provider's breaker and last success, as last seen."""
        return [self._health_of(provider) for provider in self._providers]

    def _health_of(self, provider: Provider) -> SourceHealth:
        until = self._number(f"open:{provider.group}")
        is_open = until > self._now()
        return SourceHealth(
            id=provider.id,
            breaker="open" if is_open else "half_open" if until else "closed",
            last_success=_instant(self._number(f"seen:{provider.id}")),
            retry_at=_instant(until) if is_open else None,
        )

    def _change(self, field: str, value: str | int) -> None:
        self._view[field] = self._changes[field] = value

    def _number(self, field: str) -> int:
        value = self._view.get(field)
        return value if isinstance(value, int) else 0

    def _now(self) -> int:
        return int(self._clock())


def _instant(seconds: int) -> str | None:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z") if seconds else None
