"""Migrations are applied once, whole, by one process at a time, and never reverted."""

from __future__ import annotations

import hashlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brskills_server.accounts.account import Account, Caller
from brskills_server.accounts.billing import Billing, Subscription
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.sql.schema import MIGRATIONS, NewerSchema, migrate
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.ports import AccountCalls
from brskills_server.metering.session import Session

from .databases import NOW, new_account, open_at

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


def test_the_next_migration_keeps_records_and_the_former_release_works(address: str) -> None:
    before = open_at(address)
    new_account(before, 3)
    found = before.access.read_account("acc_1")
    migrate(database_at(address), NEXT)
    assert before.access.read_account("acc_1") == found
    assert before.access.reserve_calls(AccountCalls("acc_1", "k1", "2026-11", "2025-10", 5)).calls == 1
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


VERSION_5_SHA256 = "03fc2e1a5b43a696147445a2ef807d9819e30c95029961a895d041b4eca78561"
ROWS = """
INSERT INTO schema_version VALUES (5);
INSERT INTO accounts VALUES ('acc_1', 'pro', 9, 1795000000, NULL, 'pro', '["look_up_bank"]', 'cus_1',
    '{"sub_1": {"customer": "cus_1", "status": "active", "plan": "pro", "paid_back": false}}', 1);
INSERT INTO keys VALUES ('k1', 'acc_1', 0);
INSERT INTO months VALUES ('acc_1', '2026-11', 2, 0, 0);
INSERT INTO events VALUES ('evt_1', 1795000009);
INSERT INTO claims VALUES ('971926ec14d6e61583e9a249031c4ed19faa9d8ad41f86ce505b3eb97d9ed1d7',
    '83510dcc9e9f810ca577cb97f65563b9a10ce157d24b9a898dca9530e0e257b9', 2, 0, 1795086400);
"""


def test_a_file_of_the_previous_release_is_read_and_a_crashed_request_repeated(tmp_path: Path) -> None:
    schema = ";\n".join(statement for version in MIGRATIONS[:5] for statement in version)
    assert hashlib.sha256(schema.encode()).hexdigest() == VERSION_5_SHA256, "a released migration has changed"
    with closing(sqlite3.connect(tmp_path / "brskills.db")) as file:
        file.executescript(f"CREATE TABLE schema_version (version BIGINT NOT NULL);{schema};{ROWS}")
    stores = open_at(f"sqlite:///{tmp_path}/brskills.db")
    stores.open_maintenance().prepare()
    billing = Billing({"sub_1": Subscription("sub_1", "acc_1", "cus_1", "active", "pro")}, "cus_1", 1)
    account = Account("acc_1", "pro", 9, {"k1": 0}, {"2026-11": 2}, NOW, None, billing, "pro")
    account = replace(account, skills=frozenset({"look_up_bank"}))
    assert stores.access.read_account("acc_1") == account
    assert stores.access.has_event("evt_1")
    session = Session(Ledger(stores.access, 0, lambda: NOW + 99), Caller("acc_1", "k1"))
    session.identify("key", b"request")
    session.reserve(2)
    session.settle()
    assert session.calls == 2
    assert stores.access.read_account("acc_1") == account  # not counted again
