"""Both stores over one database."""

from __future__ import annotations

from adapters.sql.access import SqlAccess
from adapters.sql.companies import SqlCompanies
from adapters.sql.database import Database
from adapters.sql.upkeep import SqlUpkeep
from adapters.stores import Stores

__all__ = ["stores_of"]


def stores_of(database: Database) -> Stores:
    """The stores; nothing is asked of the database yet."""
    return Stores(SqlAccess(database), SqlCompanies(database), lambda: SqlUpkeep(database))
