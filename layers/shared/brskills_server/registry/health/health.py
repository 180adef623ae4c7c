"""The health of the providers, by their breakers and last results, read without the event loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

from brskills_server.registry.dates import iso_instant
from brskills_server.registry.health.evidence import EVIDENCE_SECONDS, Evidence, of_numbers
from brskills_server.registry.health.shared_state import SharedState
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.provider import Provider, ProviderHealth
from brskills_server.registry.snapshot.source import SnapshotSource
from brskills_server.registry.store import Store, StoreFault


class Health:
    """The health of the providers with these ids, in this order. ``clock``: epoch seconds."""

    def __init__(
        self,
        names: Sequence[str],
        store: Store,
        clock: Callable[[], float],
        snapshot: SnapshotSource | None = None,
    ) -> None:
        self.state = SharedState(clock)
        self.evidence = Evidence(self.state)
        self.store = store
        self._names = names
        self._snapshot = snapshot
        self._reading = Lock()

    def refresh(self) -> None:
        """Read the shared state, in the caller's thread, at most once a second."""
        with self._reading:
            if not self.state.is_fresh:
                try:
                    self.state.take(self.store.state())
                except StoreFault:
                    self.state.take(None)

    def report(self) -> list[ProviderHealth]:
        """Return each provider's state, as last read and as seen by this process."""
        own = self._snapshot.health() if self._snapshot else None
        states = [own if name == SNAPSHOT_ID else self._health_of(PROVIDERS[name]) for name in self._names]
        return [state for state in states if state]

    def _health_of(self, provider: Provider) -> ProviderHealth:
        now, last = self.state.now, self.evidence.last(provider.id)
        until = self.state.number(f"open:{provider.breaker}")
        is_open = until > now
        is_untried = until > now - EVIDENCE_SECONDS  # its breaker was open, and it was not called since
        state = "down" if is_open else "degraded" if is_untried else last.state(now)
        if state == "operational" and self.evidence.last(of_numbers(provider.id)).failed:
            state = "unknown"
        return ProviderHealth(
            id=provider.id,
            state=state,
            breaker="open" if is_open else "half_open" if until else "closed",
            last_success=iso_instant(last.success) if last.success else None,
            retry_at=iso_instant(until) if is_open else None,
        )
