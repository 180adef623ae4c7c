"""The stores over one database."""

from brskills_server.adapters.sql.call_counts import SqlCallCounts
from brskills_server.adapters.sql.companies import SqlCompanies
from brskills_server.adapters.sql.database import Database
from brskills_server.adapters.sql.day_counts import SqlHistory, SqlWindows
from brskills_server.adapters.sql.grants import SqlGrants
from brskills_server.adapters.sql.idempotency_records import SqlIdempotencyRecords
from brskills_server.adapters.sql.maintenance import SqlMaintenance
from brskills_server.adapters.sql.subscriptions import SqlSubscriptions
from brskills_server.adapters.sql.watches import SqlWatches
from brskills_server.adapters.stores import AccessStore, Stores


class SqlAccess(
    SqlCallCounts,
    SqlIdempotencyRecords,
    SqlWindows,
    SqlSubscriptions,
    SqlGrants,
    SqlHistory,
    SqlWatches,
    AccessStore,
):
    """See ``schema`` for the tables."""

    def ping(self) -> None:
        """Write in one transaction: a read-only database or a full disk counts no calls.

        SQLite does not write a row that already has the value.
        """
        with self._database.transaction() as run:
            for step in (1, -1):
                run("UPDATE schema_version SET version = version + :step", step=step)


def stores_of(database: Database, counters: Database) -> Stores:
    """Return the stores, without a statement yet.

    ``counters``: the same database, or a connection that need not wait for the disk, for counts and for what
    can be read again: companies and the state of their providers.
    """
    return Stores(SqlAccess(database, counters), SqlCompanies(counters), lambda: SqlMaintenance(database))
