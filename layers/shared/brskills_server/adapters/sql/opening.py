"""Both stores over one database."""

from __future__ import annotations

from brskills_server.adapters.sql.access import SqlAccess
from brskills_server.adapters.sql.companies import SqlCompanies
from brskills_server.adapters.sql.database import Database
from brskills_server.adapters.sql.maintenance import SqlMaintenance
from brskills_server.adapters.stores import Stores


def stores_of(database: Database, counters: Database) -> Stores:
    """Return the stores, without a statement yet.

    ``counters``: the same database, or a connection that need not wait for the disk, for counts and for what
    can be read again: companies and the state of their providers.
    """
    return Stores(SqlAccess(database, counters), SqlCompanies(counters), lambda: SqlMaintenance(database))
