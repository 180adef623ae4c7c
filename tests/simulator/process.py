"""The shared state of the providers as one more process sees it."""

from collections.abc import Callable, Sequence

from brskills_server.registry.health.evidence import Evidence
from brskills_server.registry.health.provider_state import ProviderState
from brskills_server.registry.health.shared_state import SharedState
from brskills_server.registry.health.state_sync import StateSync
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.store import Store


def state_sync(store: Store, clock: Callable[[], float]) -> StateSync:
    """Return an empty state over a store."""
    return StateSync(SharedState(clock), store)


def provider_state(providers: Sequence[Provider], sync: StateSync, paid_per_day: int = 0) -> ProviderState:
    """Return the rules over a state."""
    return ProviderState(providers, sync, Evidence(sync.state), paid_per_day)
