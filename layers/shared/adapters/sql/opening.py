"""Both stores over one database."""

from __future__ import annotations

from adapters.sql.access import SqlAccess
from adapters.sql.companies import SqlCompanies
from adapters.sql.database import Database
from adapters.sql.schema import EXPIRING, migrate
from adapters.stores import Stores

__all__ = ["stores_of"]


def stores_of(database: Database) -> Stores:
    """The stores; nothing is asked of the database yet."""

    def tidy(now: int) -> None:
        for table in EXPIRING:
            database.run(f"DELETE FROM {table} WHERE expires_at <= :now", now=now)  # noqa: S608, our tables

    return Stores(SqlAccess(database), SqlCompanies(database), lambda: migrate(database), tidy)
