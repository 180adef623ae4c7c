"""The stores that ``STORE`` names; the drivers of others are not loaded, or even installed."""

from brskills_server.adapters.stores import Stores
from brskills_server.runtime.setting_types import STORE_FORMS
from brskills_server.runtime.settings import Settings


def open_stores(settings: Settings) -> Stores:
    """Return the stores. Raise ``ValueError`` for a wrong ``STORE``."""
    match settings.store.partition(":")[0]:
        case "dynamodb":
            from brskills_server.adapters.dynamodb import access

            return access.open_stores(settings)
        case "sqlite":
            from brskills_server.adapters import sqlite

            return sqlite.open_stores(settings)
        case "postgresql":
            from brskills_server.adapters import postgresql

            return postgresql.open_stores(settings)
        case "memory":
            from brskills_server.adapters import memory

            return memory.open_stores(settings)
    raise ValueError(f"STORE {STORE_FORMS}")
