"""A server that is stopped, restarted or cut off: errors, nothing counted twice, and recovery."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import psycopg
import pytest

from brskills_server.accounts.billing import Billing, Subscription
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.maintenance import StoredRow
from brskills_server.adapters.postgresql import MOST_CONNECTIONS
from brskills_server.adapters.stores import Stores
from brskills_server.metering.ports import AccountCalls, CallRefused
from brskills_server.registry.store import StoreFault
from tests.integration.adapters.sql.databases import MONTH, NOW, OLDEST, counted, new_account, open_at
from tests.services.postgres import Server
from tests.services.relay import Relay, relay


@pytest.fixture
def stores(url: str) -> Stores:
    opened = open_at(url, seconds=1)
    new_account(opened, None)
    return opened


@pytest.fixture
def cutting(server: Server) -> Iterator[Relay]:
    with relay(server.port) as opened:
        yield opened


def reserve(stores: Stores) -> int:
    return stores.access.reserve_calls(AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW)).calls


def test_a_server_that_restarts_costs_no_call(server: Server, stores: Stores) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: reserve(stores), range(50)))
    for _ in range(3):
        server.stop()
        server.start()
        assert reserve(stores)
    assert counted(stores) == 53


def test_a_server_that_is_away_is_unavailable_and_back_by_itself(server: Server, stores: Stores) -> None:
    assert reserve(stores) == 1
    server.stop()
    try:
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                reserve(stores)
        with pytest.raises(StoreFault):
            stores.companies.load("33000167000101")
    finally:
        server.start()
    assert reserve(stores) == 2


def test_a_failed_connection_names_its_reason_in_one_line(
    server: Server, capfd: pytest.CaptureFixture[str]
) -> None:
    address = server.url_of("nowhere").replace("brskills@", "brskills:hunter2@")
    with pytest.raises(
        StoreUnavailable, match=r'^no connection in 1 s: .*database "nowhere" does not exist$'
    ):
        open_at(address, seconds=1).access.ping()
    server.new_database("nowhere")
    open_at(address).open_maintenance().prepare()
    assert capfd.readouterr() == ("", "")


def test_a_silent_server_times_out(server: Server, stores: Stores) -> None:
    assert reserve(stores) == 1
    server.signal(signal.SIGSTOP)
    server.signal_sessions(signal.SIGSTOP)
    try:
        with pytest.raises(StoreUnavailable):
            reserve(stores)
    finally:
        server.signal_sessions(signal.SIGCONT)
        server.signal(signal.SIGCONT)
    assert reserve(stores) in {2, 3}  # the one in doubt may have been counted
    assert counted(stores) in {2, 3}


def test_a_statement_that_waits_for_another_is_given_up(url: str, stores: Stores) -> None:
    assert reserve(stores) == 1
    with psycopg.connect(url) as other:
        other.execute("SELECT * FROM months FOR UPDATE")
        with pytest.raises(StoreUnavailable, match="QueryCanceled"):
            reserve(stores)
        assert counted(stores) == 1
        other.rollback()
    assert reserve(stores) == 2


def through(cutting: Relay, server: Server, url: str, statement: bytes) -> Stores:
    """Return stores behind a relay that drops the answer to a statement."""
    cutting.cuts = lambda content: statement in content
    return open_at(url.replace(str(server.port), str(cutting.port)))


def test_an_answer_that_is_lost_is_doubt_and_nothing_is_repeated(
    server: Server, cutting: Relay, stores: Stores, url: str
) -> None:
    remote = through(cutting, server, url, b"INSERT INTO months")
    with pytest.raises(StoreUnavailable):
        reserve(remote)
    assert (cutting.cut, counted(stores)) == (1, 1)
    cutting.cuts = lambda _: False
    assert reserve(remote) == 2


def test_an_operation_of_many_slow_statements_is_given_up_and_undone(
    server: Server, cutting: Relay, stores: Stores, url: str
) -> None:
    remote = open_at(url.replace(str(server.port), str(cutting.port)), seconds=1)
    remote.access.ping()
    cutting.delay = 0.6  # a ping has four, each of which is in time
    with pytest.raises(StoreUnavailable):
        remote.access.ping()
    cutting.delay = 0.0
    remote.access.ping()
    open_at(url).open_maintenance().prepare()  # the schema's version is what it was


def test_maintenance_may_take_longer(server: Server, cutting: Relay, stores: Stores, url: str) -> None:
    remote = open_at(url.replace(str(server.port), str(cutting.port)), seconds=1)
    remote.access.ping()
    cutting.delay = 0.6
    salts = [
        StoredRow("salt", f"2026-{month:02}", {"salt": b"x", "expires_at": NOW}) for month in range(1, 4)
    ]
    remote.open_maintenance().insert_records(salts)
    assert [found for found in remote.open_maintenance().records() if isinstance(found, StoredRow)] == salts


def test_a_connection_that_is_lost_at_commit_is_doubt_too(
    server: Server, cutting: Relay, stores: Stores, url: str
) -> None:
    remote = through(cutting, server, url, b"COMMIT")
    before = stores.access.read_account("acc_1")
    assert before is not None
    billing = Billing({"s": Subscription("s", "acc_1", "c", "active", "pro")}, "c", 1)
    after = replace(before, plan="enterprise", billing=billing)
    with pytest.raises(StoreUnavailable):
        remote.access.record_event("evt_1", NOW, before, after)
    assert cutting.cut == 1
    assert stores.access.has_event("evt_1")
    assert stores.access.read_account("acc_1") == after
    assert not stores.access.record_event("evt_1", NOW, before, after)


def test_a_database_that_only_reads_does_not_count_as_there(url: str, stores: Stores) -> None:
    stores.access.ping()
    with psycopg.connect(url, autocommit=True) as other:
        name = url.rpartition("/")[2]
        other.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'.encode())
    standby = open_at(url, seconds=1)
    assert counted(standby) == 0
    with pytest.raises(StoreUnavailable, match="ReadOnlySqlTransaction"):
        standby.access.ping()


def test_more_threads_than_connections(stores: Stores) -> None:
    patient = open_at(stores.access._database._pool.conninfo, seconds=30)  # type: ignore[attr-defined]
    with ThreadPoolExecutor(8 * MOST_CONNECTIONS) as threads:
        counts = list(threads.map(lambda _: reserve(patient), range(500)))
    assert sorted(counts) == list(range(1, 501))


def test_a_role_that_only_reads_and_writes_rows_serves_a_database_that_is_up_to_date(
    server: Server, url: str, stores: Stores
) -> None:
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("DO $$ BEGIN CREATE ROLE teller LOGIN; EXCEPTION WHEN duplicate_object THEN END $$")
        owner.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        owner.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO teller")
    served = open_at(url.replace("brskills@", "teller@"))
    served.open_maintenance().prepare()
    assert reserve(served) == 1
    served.access.ping()
    served.open_maintenance().tidy(NOW)
    empty = open_at(server.new_database(uuid4().hex).replace("brskills@", "teller@"))
    with pytest.raises(StoreUnavailable, match="permission denied"):
        empty.open_maintenance().prepare()


def test_no_free_connection_is_an_error(server: Server, url: str) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(f'ALTER DATABASE "{url.rpartition("/")[2]}" CONNECTION LIMIT 1'.encode())
        other.execute("CREATE ROLE guest LOGIN")
        with pytest.raises(StoreUnavailable, match="no connection in 1 s"):
            open_at(url.replace("brskills@", "guest@"), seconds=1).access.ping()


def test_an_account_that_is_deleted_while_its_first_call_is_counted(stores: Stores, url: str) -> None:
    with psycopg.connect(url) as other:
        other.execute("DELETE FROM accounts WHERE id = 'acc_1'")
        with ThreadPoolExecutor(1) as thread:
            call = thread.submit(reserve, stores)
            other.execute("SELECT pg_sleep(0.2)")
            other.commit()
            with pytest.raises(CallRefused) as refusal:
                call.result()
    assert refusal.value.account is None


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_of_another_encoding(server: Server, encoding: str) -> None:
    stores = open_at(server.new_database(uuid4().hex, encoding))
    new_account(stores, None)
    assert reserve(stores) == 1
    assert stores.access.month_salt(MONTH, b"\0\xff", NOW) == b"\0\xff"
    stores.companies.save("33000167000101", {"record": "São Paulo ✓"}, NOW)
    found = stores.companies.load("33000167000101")
    assert found["record"] == "São Paulo ✓"


@pytest.mark.parametrize("store", ["postgresql://u:secret@[h/db", "postgresql://h:port/db?secret=1"])
def test_an_invalid_address_is_reported_without_its_password(store: str) -> None:
    with pytest.raises(ValueError, match="postgresql://USER:PASSWORD@HOST:PORT/NAME") as refusal:
        open_at(store)
    assert "secret" not in str(refusal.value)


def test_a_wrong_password_is_not_shown(server: Server, url: str) -> None:
    with pytest.raises(StoreUnavailable) as refusal:
        open_at(url.replace("brskills@", "nobody:secret@"), seconds=1).open_maintenance().prepare()
    assert "secret" not in str(refusal.value)
