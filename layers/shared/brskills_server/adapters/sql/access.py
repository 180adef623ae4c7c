"""The store of accounts with everything that belongs to them, in one database."""

from brskills_server.adapters.sql.call_counts import SqlCallCounts
from brskills_server.adapters.sql.grants import SqlGrants
from brskills_server.adapters.sql.history import SqlHistory
from brskills_server.adapters.sql.idempotency_records import SqlIdempotencyRecords
from brskills_server.adapters.sql.subscriptions import SqlSubscriptions
from brskills_server.adapters.sql.windows import SqlWindows
from brskills_server.adapters.stores import AccessStore


class SqlAccess(
    SqlCallCounts,
    SqlIdempotencyRecords,
    SqlWindows,
    SqlSubscriptions,
    SqlGrants,
    SqlHistory,
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
