"""Migrations: once, whole, one process at a time, and never backwards."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.sql.schema import MIGRATIONS, NewerSchema, migrate

from .databases import new_account, open_at

NEXT = (*MIGRATIONS, ("ALTER TABLE accounts ADD COLUMN nickname TEXT",))
BROKEN = (*MIGRATIONS, ("CREATE TABLE nicknames (name TEXT)", "CREATE TABLE accounts (id TEXT)"))


def database_at(address: str) -> Any:
    return open_at(address).open_maintenance()._database  # type: ignore[attr-defined]


def version(database: Any) -> int:
    ((found,),) = database.run("SELECT version FROM schema_version")
    return int(found)


def test_processes_that_start_at_once_migrate_once(address: str) -> None:
    databases = [database_at(address) for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(migrate, databases))
    assert [version(database) for database in databases] == [len(MIGRATIONS)] * 8


def test_the_next_migration_keeps_what_there_is_and_the_release_before_goes_on(address: str) -> None:
    before = open_at(address)
    new_account(before, 3)
    found = before.access.read_account("acc_1")
    migrate(database_at(address), NEXT)
    assert before.access.read_account("acc_1") == found
    assert before.access.reserve_calls("acc_1", "k1", "2026-11", "2025-10", 5).calls == 1
    before.access.ping()
    assert open_at(address).access.read_account("acc_1").calls == {"2026-11": 1}


def test_a_newer_schema_is_refused_in_one_line(address: str) -> None:
    migrate(database_at(address), NEXT)
    with pytest.raises(
        NewerSchema, match=f"schema is version {len(NEXT)}, and this release knows {len(MIGRATIONS)}"
    ) as refusal:
        open_at(address).open_maintenance().prepare()
    assert "\n" not in str(refusal.value)
    assert version(database_at(address)) == len(NEXT)


def test_of_a_migration_that_fails_nothing_stays(address: str) -> None:
    database = database_at(address)
    migrate(database)
    with pytest.raises(StoreUnavailable):
        migrate(database, BROKEN)
    assert version(database) == len(MIGRATIONS)
    with pytest.raises(StoreUnavailable):
        database.run("SELECT name FROM nicknames")
    migrate(database, NEXT)
    assert version(database) == len(NEXT)
