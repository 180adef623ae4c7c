"""The stores that ``STORE`` names; the drivers of others are not loaded, or even installed."""

import os

from brskills_server.adapters.stores import Stores
from brskills_server.runtime.setting_types import STORE_FORMS
from brskills_server.runtime.settings import Settings


def open_stores(settings: Settings) -> Stores:
    """Return the stores. Raise ``ValueError`` for a wrong ``STORE``."""
    match settings.store.partition(":")[0]:
        case "dynamodb":
            from brskills_server.adapters.dynamodb import access

            if url := os.environ.get("WEBHOOK_QUEUE"):  # of functions on AWS that add deliveries
                from brskills_server.adapters.webhook_queue import WebhookQueue

                return access.open_stores(settings, WebhookQueue(url).wake)
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
