"""Both stores in the memory of this process, gone with it: for tests, and to try the service out."""

from brskills_server.adapters.sql.opening import stores_of
from brskills_server.adapters.sqlite import SqliteDatabase
from brskills_server.adapters.stores import Stores, StoreSettings

__all__ = ["open_stores"]


def open_stores(settings: StoreSettings) -> Stores:
    """Empty stores, which other processes do not see."""
    database = SqliteDatabase(":memory:", settings.store_seconds)
    stores = stores_of(database, database)
    stores.open_upkeep().prepare()
    return stores
