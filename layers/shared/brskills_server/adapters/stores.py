"""What every store adapter offers: a module of this package with a function ``open_stores``.

``STORE`` names the module by what stands before a colon.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from brskills_server.accounts.ports import AccountStore, GrantStore, SaltStore, SubscriptionStore, WindowStore
from brskills_server.metering.ports import CallStore
from brskills_server.registry.store import Store
from brskills_server.telemetry.day_counts import HistoryStore

if TYPE_CHECKING:
    from brskills_server.adapters.maintenance import Maintenance

__all__ = ["AccessStore", "StoreSettings", "Stores"]


class AccessStore(
    AccountStore, CallStore, WindowStore, SaltStore, SubscriptionStore, GrantStore, HistoryStore, Protocol
):
    """The store of accounts with everything that belongs to them."""

    def ping(self) -> None:
        """Raise ``StoreUnavailable`` unless calls can be counted."""


class Stores(NamedTuple):
    """Both stores of a deployment: accounts with their counters, and stored companies.

    Opening asks nothing of the database yet. ``open_upkeep`` loads what a call never needs.
    """

    access: AccessStore
    companies: Store
    open_upkeep: Callable[[], Maintenance]


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
