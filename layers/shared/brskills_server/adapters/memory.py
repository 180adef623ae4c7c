"""Both stores in the memory of this process: for tests, and to try the service."""

from brskills_server.adapters.sql.access import stores_of
from brskills_server.adapters.sqlite import SqliteDatabase
from brskills_server.adapters.stores import Stores, StoreSettings


def open_stores(settings: StoreSettings) -> Stores:
    """Return empty stores of this process alone."""
    database = SqliteDatabase(":memory:", settings.store_seconds)
    stores = stores_of(database, database)
    stores.open_maintenance().prepare()
    return stores
