"""The port of the store: where companies and the shared state of the providers are kept.

Another store is one new file: a class with these five methods that raises ``StoreFault`` when an
operation fails. It needs to know nothing about what it keeps: a company's entry (see ``stored``) and
the shared state (see ``shared_view``) are flat mappings of texts and integers. Times are epoch
seconds. Only ``claim`` must be atomic.
"""

from collections.abc import Mapping
from typing import Protocol

__all__ = ["Fields", "Store", "StoreFault"]

Fields = Mapping[str, str | int]


class StoreFault(Exception):
    """The operation failed: the store is out of reach, throttled, or refuses."""


class Store(Protocol):
    """What an adapter offers. Every method blocks, is called from many threads, and may raise ``StoreFault``.

    ``load``, and ``state`` where nobody was asked yet, are waited for as long as they take, so the adapter
    bounds them (about a second). The others run beside the look-up, which waits for none longer than
    ``fail_safe_store.STORE_SECONDS``.
    """

    def load(self, cnpj: str) -> Fields | None:
        """The entry of a company, if any; it may be past its expiry, and may have more fields."""

    def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        """Replace the entry of a company; from ``expires_at`` on it may be deleted."""

    def state(self) -> Fields:
        """The shared state of the providers; empty at first."""

    def set_state(self, changes: Fields) -> None:
        """Overwrite these fields of the shared state and leave the others."""

    def claim(self, field: str, value: int, at_most: int) -> bool:
        """Set a field of the shared state to ``value`` in one step, if it is absent or not over ``at_most``.

        ``False``: it is over ``at_most``, so another instance was quicker.
        """
