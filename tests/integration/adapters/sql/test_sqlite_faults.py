"""A file that is full, locked, not writable or not a database: an error, and nothing is counted."""

from __future__ import annotations

import sqlite3
import stat
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.stores import Stores
from brskills_server.metering.ports import AccountCalls, AddressCalls
from brskills_server.registry.store import StoreFault
from tests.for_each import for_each
from tests.services.releasing import release

from .databases import MONTH, NOW, OLDEST, counted, new_account, open_at


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "brskills.db"


@pytest.fixture
def kept(file: Path) -> Stores:
    opened = open_at(f"sqlite:///{file}", seconds=1)
    new_account(opened, None)
    return opened


def reserve(kept: Stores) -> int:
    return kept.access.reserve_calls(AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW)).calls


def fill(write: Callable[[int], object]) -> None:
    for n in range(1000):
        write(n)


class Recorder:
    """A database that counts its statements."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self.asked = 0

    def run(self, statement: str, **values: Any) -> Any:
        self.asked += 1
        return self._database.run(statement, **values)

    def transaction(self) -> Any:
        self.asked += 1
        return self._database.transaction()


def test_the_file_is_its_owners_alone(kept: Stores, file: Path) -> None:
    reserve(kept)
    assert {stat.S_IMODE(one.stat().st_mode) for one in file.parent.iterdir()} == {0o600}


def test_a_file_behind_a_link_is_its_owners_alone(tmp_path: Path) -> None:
    link, target = tmp_path / "link.db", tmp_path / "volume" / "target.db"
    link.symlink_to(target)
    open_at(f"sqlite:///{link}").open_maintenance().prepare()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_changes_wait_for_the_disk_and_counts_do_not(kept: Stores) -> None:
    access = kept.access
    modes = [
        database.run("PRAGMA synchronous")[0][0]
        for database in (access._database, access._counters)  # type: ignore[attr-defined]
    ]
    assert modes == [2, 1]  # FULL, NORMAL
    waiting = Recorder(access._database)  # type: ignore[attr-defined]
    access._database = waiting  # type: ignore[attr-defined]
    reserve(kept)
    reserve(kept)
    release(access, "acc_1", MONTH)
    access.reserve_demo_calls(AddressCalls("address", MONTH, 9, NOW))
    access.count_in_window("pseudonym", "2026-11-18", 9, NOW)
    kept.companies.set_state({"seen:x": 1})
    assert waiting.asked == 0
    changes: list[Callable[[], object]] = [
        lambda: access.open_account(Account("acc_2", "free", 1, {"k2": 0}, created_at=NOW)),
        lambda: access.add_key("acc_2", "k3"),
        lambda: access.rotate_key("acc_2", "k2", "k4", ends=NOW, expired=(), most=9, now=NOW),
        lambda: access.revoke_key("acc_2", "k3", NOW),
        lambda: access.set_plan("acc_2", "pro", 9),
        lambda: access.set_limit("acc_2", 8),
        lambda: access.month_salt(MONTH, b"salt", NOW),
        lambda: access.delete_account("acc_2"),
    ]
    for number, change in enumerate(changes, 1):
        assert change()
        assert waiting.asked == number


def test_a_file_that_another_program_holds(kept: Stores, file: Path) -> None:
    assert reserve(kept) == 1
    hurried = open_at(f"sqlite:///{file}", seconds=0.2)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="locked"):
            reserve(hurried)
        with pytest.raises(StoreFault, match="locked"):
            hurried.companies.set_state({"seen:x": 1})
        assert counted(kept) == 1  # who reads waits for nobody
        other.execute("ROLLBACK")
    assert reserve(kept) == 2


def test_waiting_for_another_thread_counts_for_the_time_limit(file: Path) -> None:
    """Threads would otherwise begin to wait only after the one before has failed."""
    kept, began = open_at(f"sqlite:///{file}", seconds=1), threading.Event()
    new_account(kept, None)

    def reserve_second() -> int:
        began.set()
        return reserve(kept)

    with closing(sqlite3.connect(file, isolation_level=None)) as other, ThreadPoolExecutor(2) as threads:
        other.execute("BEGIN IMMEDIATE")
        first = threads.submit(reserve, kept)
        time.sleep(0.5)
        second = threads.submit(reserve_second)
        began.wait()
        time.sleep(1.25)  # longer than the second may wait, and not as long as after the first one's end
        other.execute("ROLLBACK")
        for call in (first, second):
            with pytest.raises(StoreUnavailable):
                call.result()
    assert counted(kept) == 0


def test_a_disk_that_is_full(kept: Stores) -> None:
    assert reserve(kept) == 1
    databases = (kept.access._database, kept.access._counters)  # type: ignore[attr-defined]
    ((pages,),) = databases[0].run("PRAGMA page_count")
    for database in databases:
        database.run(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFault, match="full"):
        fill(lambda n: kept.companies.save(f"{n:014}", {"record": "x" * 4000}, NOW))
    assert reserve(kept) == 2  # which takes no more room than there was
    with pytest.raises(StoreUnavailable, match="full"):
        fill(lambda n: kept.access.month_salt(f"month {n}", b"x" * 2000, NOW))
    assert counted(kept) == 2
    for database in databases:
        database.run("PRAGMA max_page_count = 1000000")
    assert reserve(kept) == 3


def test_a_ping_writes(kept: Stores, file: Path) -> None:
    journal = file.with_name(f"{file.name}-wal")
    before = journal.stat().st_size
    for n in range(1, 4):
        kept.access.ping()
        assert journal.stat().st_size > before, f"ping {n} wrote nothing"
        before = journal.stat().st_size
    open_at(f"sqlite:///{file}").open_maintenance().prepare()  # the schema's version is what it was


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a database, but a text that is long enough to be read as one\n" * 20)
    with pytest.raises(StoreUnavailable, match=r"notes\.txt: file is not a database"):
        open_at(f"sqlite:///{file}").open_maintenance().prepare()
    assert file.read_text().startswith("not a database")


def test_a_folder_in_which_nothing_can_be_made() -> None:
    with pytest.raises(StoreUnavailable, match=r"/proc/no/such\.db"):
        open_at("sqlite:////proc/no/such.db").open_maintenance().prepare()


def test_a_removed_file_is_not_created_by_a_call(kept: Stores, file: Path) -> None:
    for one in file.parent.iterdir():
        one.unlink()
    fresh = open_at(f"sqlite:///{file}", seconds=1)
    with pytest.raises(StoreUnavailable):
        fresh.access.read_account("acc_1")


def test_a_file_that_is_moved_away_counts_nothing_until_it_is_back(kept: Stores, file: Path) -> None:
    assert reserve(kept) == 1
    away = file.rename(file.with_name("away.db"))
    for change in (lambda: None, file.touch):  # nothing in its place, then another file
        change()
        for use in (kept.access.ping, lambda: reserve(kept)):
            with pytest.raises(StoreUnavailable, match=r"No such file|put it back"):
                use()
    away.rename(file)
    kept.access.ping()
    assert reserve(kept) == 2


def test_a_sqlite_that_is_too_old_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.34.1")
    with pytest.raises(ValueError, match=r"SQLite 3\.35 or later is needed, not 3\.34\.1"):
        open_at("sqlite:///x.db")


@for_each("store", ["sqlite:x.db", "sqlite://x.db", "sqlite:///", "sqlite"])
def test_how_a_file_is_named(store: str) -> None:
    with pytest.raises(ValueError, match="sqlite:///PATH"):
        open_at(store)


def test_sqlite_memory_is_rejected() -> None:
    with pytest.raises(ValueError, match="STORE=memory"):
        open_at("sqlite:///:memory:")


def test_a_path_counts_from_the_working_folder_or_from_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for path in ("data/x.db", f"{tmp_path}/y.db"):
        open_at(f"sqlite:///{path}").open_maintenance().prepare()
    assert (tmp_path / "data/x.db").exists()
    assert (tmp_path / "y.db").exists()
