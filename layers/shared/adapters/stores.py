"""What every store adapter offers: a module of this package with a function ``open_stores``.

``STORE`` names the module by what stands before a colon.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from access import AccessStore
from registry import Store

__all__ = ["StoreSettings", "Stores"]


class Stores(NamedTuple):
    """Both stores of a deployment: accounts with their counters, and stored companies.

    Opening asks nothing of the database yet. ``prepare`` makes what is missing in it, and is to be called
    once where the service starts. ``tidy(now)`` deletes what has expired. Both raise ``StoreUnavailable``.
    """

    access: AccessStore
    companies: Store
    prepare: Callable[[], None]
    tidy: Callable[[int], None]


class StoreSettings(Protocol):
    """What an adapter may read of the settings; ``store`` is ``STORE`` as it is given."""

    @property
    def store(self) -> str:
        """The adapter's name, and behind a colon what it takes."""

    @property
    def access_table(self) -> str:
        """The table of accounts."""

    @property
    def companies_table(self) -> str:
        """The table of stored companies."""

    @property
    def store_seconds(self) -> int:
        """How long an operation may take."""
