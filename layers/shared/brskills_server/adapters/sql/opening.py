"""Both stores over one database."""

from __future__ import annotations

from brskills_server.adapters.sql.access import SqlAccess
from brskills_server.adapters.sql.companies import SqlCompanies
from brskills_server.adapters.sql.database import Database
from brskills_server.adapters.sql.maintenance import SqlMaintenance
from brskills_server.adapters.stores import Stores

__all__ = ["stores_of"]


def stores_of(database: Database, counters: Database) -> Stores:
    """The stores; nothing is asked of the database yet.

    ``counters``: the same one, or another way to it that need not wait for the disk. Counts go by it, and
    what can be had again: companies and the state of their providers.
    """
    return Stores(SqlAccess(database, counters), SqlCompanies(counters), lambda: SqlMaintenance(database))
