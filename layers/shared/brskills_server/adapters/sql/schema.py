"""The tables, as a list of migrations: a database has version n if the first n were applied.

A released migration never changes. The release before must work on each new version, since both run during
a rolling upgrade.

Times are Unix seconds, months as ``2026-11``, days as ``2026-11-20``. From ``expires_at`` on a row may be
deleted; a key's is its expiry, 0 for never. An account's ``skills`` and ``subscriptions``, a grant's
``scopes``, a client's ``redirect_uris``, a company's ``entry``, a change's ``changes``, a webhook's
``events`` and ``secrets``, and a salt's bytes (in hexadecimal) are texts because they are read and written
whole. ``last_place``: of an account's feed, also after its changes have expired. ``next_due``: of the
deliveries to a webhook, ``NEVER`` if there is none. ``claimed_until``: 0 if nobody delivers to it.
``attempts.at`` and ``duration``: milliseconds. ``account_events``: those that were added once. ``tidying``:
up to when expired rows were deleted, 0 before the first time.
"""

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.sql.database import Database, Run

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE accounts (
             id TEXT PRIMARY KEY, plan TEXT NOT NULL, monthly_limit BIGINT, created_at BIGINT NOT NULL,
             email TEXT, own_lane TEXT NOT NULL, skills TEXT NOT NULL,
             customer TEXT, subscriptions TEXT NOT NULL, billing_version BIGINT NOT NULL)""",
        """CREATE TABLE keys (
             digest TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
             expires_at BIGINT NOT NULL)""",
        "CREATE INDEX keys_of_account ON keys (account)",
        """CREATE TABLE months (
             account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE, month TEXT NOT NULL,
             calls BIGINT NOT NULL, absences BIGINT NOT NULL, PRIMARY KEY (account, month))""",
        """CREATE TABLE demo_months (
             address TEXT NOT NULL, month TEXT NOT NULL, calls BIGINT NOT NULL, absences BIGINT NOT NULL,
             expires_at BIGINT NOT NULL, PRIMARY KEY (address, month))""",
        """CREATE TABLE signups (
             pseudonym TEXT NOT NULL, day TEXT NOT NULL, issued BIGINT NOT NULL,
             expires_at BIGINT NOT NULL, PRIMARY KEY (pseudonym, day))""",
        "CREATE TABLE salts (month TEXT PRIMARY KEY, salt TEXT NOT NULL, expires_at BIGINT NOT NULL)",
        "CREATE TABLE events (id TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)",
        "CREATE TABLE companies (cnpj TEXT PRIMARY KEY, entry TEXT NOT NULL, expires_at BIGINT NOT NULL)",
        "CREATE TABLE provider_state (field TEXT PRIMARY KEY, number BIGINT, text TEXT)",
    ),
    (
        """CREATE TABLE claims (
             id TEXT PRIMARY KEY, request TEXT NOT NULL, calls BIGINT NOT NULL, answered BIGINT NOT NULL,
             expires_at BIGINT NOT NULL)""",
    ),
    (
        """CREATE TABLE clients (
             id TEXT PRIMARY KEY, name TEXT NOT NULL, redirect_uris TEXT NOT NULL, uri TEXT,
             created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)""",
        """CREATE TABLE grants (
             id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
             key TEXT NOT NULL, client TEXT NOT NULL, client_name TEXT NOT NULL, scopes TEXT NOT NULL,
             resource TEXT NOT NULL, redirect_uri TEXT NOT NULL, challenge TEXT NOT NULL, code TEXT NOT NULL,
             created_at BIGINT NOT NULL, used_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
             family TEXT NOT NULL, turn TEXT NOT NULL, access TEXT NOT NULL, access_ends BIGINT NOT NULL,
             former TEXT NOT NULL, former_ends BIGINT NOT NULL, version BIGINT NOT NULL)""",
        "CREATE INDEX grants_of_account ON grants (account)",
        """CREATE TABLE grant_months (
             grant_id TEXT NOT NULL REFERENCES grants ON DELETE CASCADE, month TEXT NOT NULL,
             calls BIGINT NOT NULL, PRIMARY KEY (grant_id, month))""",
    ),
    (
        """CREATE TABLE history (
             day TEXT PRIMARY KEY, calls BIGINT NOT NULL, failed BIGINT NOT NULL,
             expires_at BIGINT NOT NULL)""",
    ),
    (
        "CREATE TABLE releases (id TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)",
        "ALTER TABLE months ADD COLUMN uncounted BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE demo_months ADD COLUMN uncounted BIGINT NOT NULL DEFAULT 0",
        "CREATE TABLE tidying (until BIGINT NOT NULL)",
        # A day of the history is kept for 100 days after the one on which calls were last added.
        "INSERT INTO tidying SELECT COALESCE(MAX(expires_at) - 101 * 86400, 0) FROM history",
        "ALTER TABLE history ADD COLUMN demo_calls BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE history ADD COLUMN demo_failed BIGINT NOT NULL DEFAULT 0",
    ),
    (
        "ALTER TABLE accounts ADD COLUMN last_place BIGINT NOT NULL DEFAULT 0",
        """CREATE TABLE watches (
             account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE, cnpj TEXT NOT NULL,
             reference TEXT, since BIGINT NOT NULL, PRIMARY KEY (account, cnpj))""",
        "CREATE UNIQUE INDEX watches_by_number ON watches (cnpj, account)",
        """CREATE TABLE changes (
             account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE, place BIGINT NOT NULL,
             id TEXT NOT NULL, cnpj TEXT NOT NULL, reference TEXT, day TEXT NOT NULL, changes TEXT NOT NULL,
             expires_at BIGINT NOT NULL, PRIMARY KEY (account, place), UNIQUE (account, id))""",
        """CREATE TABLE announcements (
             name TEXT PRIMARY KEY, announced TEXT NOT NULL, target TEXT NOT NULL, began BIGINT NOT NULL,
             after_cnpj TEXT NOT NULL, after_account TEXT NOT NULL, version BIGINT NOT NULL)""",
    ),
    (
        """CREATE TABLE webhooks (
             id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
             url TEXT NOT NULL, events TEXT NOT NULL, description TEXT, secrets TEXT NOT NULL,
             created_at BIGINT NOT NULL, inactive TEXT NOT NULL, failing_since BIGINT NOT NULL,
             version BIGINT NOT NULL, next_due BIGINT NOT NULL, claimed_until BIGINT NOT NULL)""",
        "CREATE UNIQUE INDEX webhooks_of_account ON webhooks (account, id)",
        "CREATE INDEX webhooks_by_due ON webhooks (next_due)",
        """CREATE TABLE deliveries (
             webhook TEXT NOT NULL REFERENCES webhooks ON DELETE CASCADE, id TEXT NOT NULL,
             type TEXT NOT NULL, body TEXT NOT NULL, due BIGINT NOT NULL, attempts BIGINT NOT NULL,
             PRIMARY KEY (webhook, id))""",
        "CREATE INDEX deliveries_by_due ON deliveries (webhook, due)",
        """CREATE TABLE attempts (
             webhook TEXT NOT NULL REFERENCES webhooks ON DELETE CASCADE, at BIGINT NOT NULL,
             id TEXT NOT NULL, type TEXT NOT NULL, number BIGINT NOT NULL, status BIGINT, error TEXT NOT NULL,
             duration BIGINT NOT NULL, expires_at BIGINT NOT NULL, PRIMARY KEY (webhook, at, id))""",
        """CREATE TABLE account_events (
             account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE, id TEXT NOT NULL,
             expires_at BIGINT NOT NULL, PRIMARY KEY (account, id))""",
    ),
    (
        """CREATE TABLE tasks (
             id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
             scope TEXT NOT NULL, request TEXT NOT NULL, created_at BIGINT NOT NULL,
             updated_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, lease_ends BIGINT NOT NULL,
             status TEXT NOT NULL, version BIGINT NOT NULL, runs BIGINT NOT NULL, outcome TEXT NOT NULL)""",
        "CREATE INDEX tasks_of_account ON tasks (account)",
    ),
)


class NewerSchema(StoreUnavailable):
    """The database was migrated by a later release."""


def migrate(database: Database, migrations: tuple[tuple[str, ...], ...] = MIGRATIONS) -> None:
    """Apply missing migrations, all or none, one process at a time. Raise ``NewerSchema``, changing nothing.

    If none is missing it only reads, so the service's role need not own the tables.
    """
    if _recorded(database) == len(migrations):
        return
    with database.transaction(alone=True) as run:
        version = _version(run)
        if version > len(migrations):
            raise NewerSchema(
                f"the store's schema is version {version}, and this release knows {len(migrations)}: "
                "start the release that migrated it, or restore a backup from before"
            )
        for statements in migrations[version:]:
            for statement in statements:
                run(statement)
        if version < len(migrations):
            run("UPDATE schema_version SET version = :version", version=len(migrations))


def _recorded(database: Database) -> int | None:
    """Return the recorded version, ``None`` before the first migration."""
    try:
        rows = database.run("SELECT version FROM schema_version")
    except StoreUnavailable:  # the table is missing; any other cause shows when it is created
        return None
    return int(rows[0][0]) if rows else None


def _version(run: Run) -> int:
    run("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)")
    found = run("SELECT version FROM schema_version")
    if not found:
        run("INSERT INTO schema_version (version) VALUES (0)")
        return 0
    return int(found[0][0])
