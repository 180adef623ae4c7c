"""Putting a registry together."""

import time
from collections.abc import Callable, Mapping, Sequence

from registry.lookup import FRESH_SECONDS, Registry
from registry.providers import PROVIDERS
from registry.store import Store

__all__ = ["build_registry"]


def build_registry(
    *,
    providers: Sequence[str],
    urls: Mapping[str, str],
    store: Store,
    fresh_seconds: int = FRESH_SECONDS,
    user_agent: str,
    clock: Callable[[], float] = time.time,
) -> Registry:
    """A registry over the providers with these ids, in the order of preference.

    ``urls``: provider id → scheme, host and port in place of its public ones. ``clock``: epoch
    seconds. Raises ``KeyError`` for an id that there is not.
    """
    from registry.fetch import Fetcher  # loads the HTTP client

    chosen = [PROVIDERS[name] for name in dict.fromkeys(providers)]
    return Registry(chosen, Fetcher(urls, user_agent, clock=clock), store, fresh_seconds, clock)
