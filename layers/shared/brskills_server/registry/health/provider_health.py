"""How each provider is, by its breaker and its last results; and what a process tells that has asked none.

Such a process knows what all know together, and reads it in the caller's thread: like ``brskills_server.registry.lookup.local_lookup`` it
takes no event loop, no HTTP client and no model. Others also tell what they have seen themselves:
``brskills_server.registry.lookup.provider_lookup``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Literal

from brskills_server.registry.dates import iso_instant
from brskills_server.registry.health.evidence import EVIDENCE_SECONDS, Last, State, last_known
from brskills_server.registry.health.shared_state import SharedState
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.store import Fields, Store, StoreFault

if TYPE_CHECKING:  # not everybody has a copy
    from brskills_server.registry.snapshot.source import SnapshotSource

__all__ = ["ProviderHealth", "RecalledHealth", "health_of", "in_order"]


@dataclass(frozen=True, slots=True)
class ProviderHealth:
    """A provider's recent state. ``last_success`` and ``retry_at`` are ISO instants (UTC)."""

    id: str
    state: State
    breaker: Literal["closed", "open", "half_open"]
    last_success: str | None
    retry_at: str | None


def health_of(provider: Provider, shared: SharedState, last: Last, now: int) -> ProviderHealth:
    """How a provider is at this moment; ``last``: its last results."""
    until = shared.number(f"open:{provider.breaker}")
    is_open = until > now
    is_untried = until > now - EVIDENCE_SECONDS  # its breaker was open, and it was not tried since
    return ProviderHealth(
        id=provider.id,
        state="down" if is_open else "degraded" if is_untried else last.state(now),
        breaker="open" if is_open else "half_open" if until else "closed",
        last_success=iso_instant(last.success) if last.success else None,
        retry_at=iso_instant(until) if is_open else None,
    )


def in_order(
    names: Iterable[str], remote: Iterable[ProviderHealth], copied: SnapshotSource | None
) -> list[ProviderHealth]:
    """The states of providers in the order of preference, our own copy's among them where there is one."""
    own = copied.health() if copied else None
    states = {state.id: state for state in (*remote, *([own] if own else []))}
    return [states[name] for name in names if name in states]


class RecalledHealth:
    """How the providers with these ids are, in this order, as all know it together.

    ``clock``: epoch seconds. ``copied``: our own copy, if there is one.
    """

    def __init__(
        self, names: Sequence[str], store: Store, clock: Callable[[], float], copied: SnapshotSource | None
    ) -> None:
        self._names = names
        self._store = store
        self._clock = clock
        self._copied = copied
        self._shared = SharedState(clock)
        self._reading = Lock()

    def health(self) -> list[ProviderHealth]:
        """Reads the store at most once a second, whoever asks; without it, what was last read is told."""
        with self._reading:
            if not self._shared.is_fresh:
                self._shared.take(self._read())
        remote = [PROVIDERS[name] for name in self._names if name != SNAPSHOT_ID]
        now = int(self._clock())
        states = [health_of(one, self._shared, last_known(self._shared, one.id), now) for one in remote]
        return in_order(self._names, states, self._copied)

    def _read(self) -> Fields | None:
        try:
            return self._store.state()
        except StoreFault:
            return None
