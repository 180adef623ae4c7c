"""The health of the providers, by their breakers and last results, read without the event loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

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
        self._shared = self.evidence

    def report(self) -> list[ProviderHealth]:
        """Return each provider's state, by what all processes share: read anew, so that their reports agree.

        It blocks. While the store fails, by what was read last.
        """
        with suppress(StoreFault):
            state = SharedState(self.state.clock)
            state.take(self.store.state())
            self._shared = Evidence(state)
        own = self._snapshot.health() if self._snapshot else None
        states = [
            own if name == SNAPSHOT_ID else _health_of(PROVIDERS[name], self._shared) for name in self._names
        ]
        return [state for state in states if state]


def _health_of(provider: Provider, evidence: Evidence) -> ProviderHealth:
    state, last = evidence.state, evidence.last(provider.id)
    now, until = state.now, state.number(f"open:{provider.breaker}")
    is_open = until > now
    is_untried = until > now - EVIDENCE_SECONDS  # its breaker was open, and it was not called since
    found = "down" if is_open else "degraded" if is_untried else last.state(now)
    if found == "operational" and evidence.last(of_numbers(provider.id)).failed:
        found = "unknown"
    return ProviderHealth(
        id=provider.id,
        state=found,
        breaker="open" if is_open else "half_open" if until else "closed",
        last_success=iso_instant(last.success) if last.success else None,
        retry_at=iso_instant(until) if is_open else None,
    )
