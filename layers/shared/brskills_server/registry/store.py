"""The port of the store: stored companies, and the state of the providers that all processes share.

Entries of companies (``cache.entries``) and the shared state (``health.shared_state``) are flat mappings of
texts and integers. Times are epoch seconds. Only ``claim`` must be atomic.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

Fields = Mapping[str, str | int]


class StoreFault(Exception):
    """The store is out of reach, throttled, or refuses the operation."""


class Store(Protocol):
    """A store whose methods block, are called from many threads, and may raise ``StoreFault``.

    ``load``, ``load_many`` and ``state`` take about a second at most; ``StateSync.run`` bounds the others.
    """

    def load(self, cnpj: str) -> Fields | None:
        """Return the entry of a company, if any; it may be past its expiry, and may have more fields."""

    def load_many(self, cnpjs: Sequence[str]) -> Mapping[str, Fields]:
        """Return the entries of up to 100 different companies, of those that have one."""

    def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        """Replace the entry of a company; from ``expires_at`` on it may be deleted."""

    def state(self) -> Fields:
        """Return the shared state of the providers; empty at first."""

    def set_state(self, changes: Fields) -> None:
        """Overwrite these fields of the shared state and leave the others."""

    def claim(self, field: str, value: int, at_most: int) -> bool:
        """Set a field of the shared state to ``value`` in one step, if it is absent or not over ``at_most``.

        Return ``False`` where it is over ``at_most``: another process was quicker.
        """
