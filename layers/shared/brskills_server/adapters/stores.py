"""The interface of the store adapters: modules of this package with a function ``open_stores``.

The part of ``STORE`` before a colon names the module.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from brskills_server.accounts.ports import AccountStore, GrantStore, SaltStore, SubscriptionStore, WindowStore
from brskills_server.metering.ports import CallStore
from brskills_server.proofs.keys import ProofKeyStore
from brskills_server.registry.store import Store
from brskills_server.telemetry.day_counts import HistoryStore
from brskills_server.watches.ports import WatchStore
from brskills_server.webhooks.ports import WebhookStore


class AccessStore(
    AccountStore,
    CallStore,
    WindowStore,
    SaltStore,
    ProofKeyStore,
    SubscriptionStore,
    GrantStore,
    HistoryStore,
    WatchStore,
    WebhookStore,
    Protocol,
):
    """The store of accounts with everything that belongs to them."""

    def ping(self) -> None:
        """Raise ``StoreUnavailable`` unless calls can be counted."""


class Stores(NamedTuple):
    """The stores of a deployment, without a request yet; ``open_maintenance`` returns ``Maintenance``."""

    access: AccessStore
    companies: Store
    open_maintenance: Callable[[], Any]


class StoreSettings(Protocol):
    """The settings of an adapter; ``store``: ``STORE`` as given; ``store_seconds``: limit of an operation."""

    @property
    def store(self) -> str: ...
    @property
    def access_table(self) -> str: ...
    @property
    def watches_table(self) -> str: ...
    @property
    def companies_table(self) -> str: ...
    @property
    def store_seconds(self) -> int: ...
