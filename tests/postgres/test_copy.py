"""Snapshots in PostgreSQL: privileges, locks, encodings and foreign tables."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from brskills_server.adapters.snapshots.postgresql import open_history, open_snapshot
from brskills_server.registry.store import StoreFault
from brskills_server.snapshot_builder.destinations.postgresql import PostgresDestination
from brskills_server.snapshot_builder.errors import SnapshotError
from tests.integration.adapters.copies.months import CNPJ, ROOT, write_file
from tests.integration.adapters.copies.test_contract import AUGUST, SEPTEMBER, put, quiet
from tests.services.postgres import Server
from tests.services.store import Destination


def test_a_role_that_may_read_the_table_of_months_may_read_each_month(
    server: Server, url: str, tmp_path: Path
) -> None:
    place = PostgresDestination(url)
    put(place, tmp_path, AUGUST, {CNPJ: "old"})
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("DO $$ BEGIN CREATE ROLE reader LOGIN; EXCEPTION WHEN duplicate_object THEN END $$")
        guest = open_snapshot(Destination(url.replace("brskills@", "reader@")))
        with pytest.raises(StoreFault, match="permission denied"):
            guest.find(CNPJ)
        owner.execute("GRANT SELECT ON register_months TO reader")
    put(place, tmp_path, SEPTEMBER, {CNPJ: "new"})
    reader = Destination(url.replace("brskills@", "reader@"))
    found = open_snapshot(reader).find(CNPJ)
    assert found.establishment_row == "new"
    assert open_history(reader).rows(CNPJ, "") == []


def test_a_month_that_is_locked_is_a_fault_and_back_by_itself(url: str, tmp_path: Path) -> None:
    put(PostgresDestination(url), tmp_path, AUGUST, {CNPJ: "old"})
    own_copy = open_snapshot(Destination(url))
    assert own_copy.find(CNPJ)
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE register_2026_08_08 IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StoreFault, match="QueryCanceled"):
            own_copy.find(CNPJ)
    assert own_copy.find(CNPJ)


def test_look_ups_are_answered_by_the_former_month_while_one_is_added(url: str, tmp_path: Path) -> None:
    place = PostgresDestination(url)
    put(place, tmp_path, AUGUST, {CNPJ: "old"})
    own_copy = open_snapshot(Destination(url))
    seen = []

    def look(_: int) -> None:
        found = open_snapshot(Destination(url)).find(CNPJ)
        seen.extend([found and found.establishment_row, (own_copy.find(CNPJ) or found) is not None])

    place.add(write_file(tmp_path / "month.db", {CNPJ: "new", ROOT: "NEW"}), SEPTEMBER, look)
    assert seen == ["old", True]


def test_a_database_of_an_earlier_release_has_no_history(url: str, tmp_path: Path) -> None:
    put(PostgresDestination(url), tmp_path, AUGUST, {CNPJ: "old"})
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("DROP TABLE register_changes, register_steps")
    assert open_history(Destination(url)).rows(CNPJ, "x") == []
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("CREATE TABLE register_steps (id TEXT)")
    with pytest.raises(StoreFault, match="UndefinedColumn"):
        open_history(Destination(url)).rows(CNPJ, "x")


def test_a_server_that_is_away_is_a_fault(server: Server, url: str, tmp_path: Path) -> None:
    put(PostgresDestination(url), tmp_path, AUGUST, {CNPJ: "old"})
    own_copy = open_snapshot(Destination(url))
    assert own_copy.find(CNPJ)
    server.stop()
    try:
        for reader in (own_copy, open_snapshot(Destination(url))):
            with pytest.raises(StoreFault, match="no connection"):
                reader.find(CNPJ)
        with pytest.raises(SnapshotError, match=r"^PostgreSQL: OperationalError: [^\n]*$"):
            PostgresDestination(url).snapshots()
    finally:
        server.start()
    assert own_copy.find(CNPJ)


def test_a_foreign_table_is_a_fault(url: str, tmp_path: Path) -> None:
    put(PostgresDestination(url), tmp_path, AUGUST, {CNPJ: "old"})
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("ALTER TABLE register_2026_08_08 RENAME body TO content")
        with pytest.raises(StoreFault, match="UndefinedColumn"):
            open_snapshot(Destination(url)).find(CNPJ)
        other.execute("DROP TABLE register_2026_08_08")
        with pytest.raises(StoreFault, match="is missing"):
            open_snapshot(Destination(url)).find(CNPJ)
        other.execute("ALTER TABLE register_months RENAME day TO since")
        with pytest.raises(StoreFault, match="UndefinedColumn"):
            open_snapshot(Destination(url)).edition()


def test_months_of_an_earlier_release_have_no_id(url: str, tmp_path: Path) -> None:
    put(PostgresDestination(url), tmp_path, AUGUST, {CNPJ: "old"})
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("ALTER TABLE register_months DROP COLUMN id")
    edition = open_snapshot(Destination(url)).edition()
    assert edition
    assert edition.id == ""
    place = PostgresDestination(url)
    place.add(write_file(tmp_path / "next.db", {CNPJ: "new"}, build="0f1e2d3c4b5a6978"), SEPTEMBER, quiet)
    place.switch(SEPTEMBER)
    edition = open_snapshot(Destination(url)).edition()
    assert edition
    assert edition.id == "0f1e2d3c4b5a6978"


def test_a_month_cannot_be_added_beside_an_unfinished_one(url: str, tmp_path: Path) -> None:
    place = PostgresDestination(url)
    file = write_file(tmp_path / "month.db", {CNPJ: "new"})

    def beside(_: int) -> None:
        PostgresDestination(f"{url}?options=-clock_timeout%3D200ms").add(file, SEPTEMBER, quiet)

    with pytest.raises(SnapshotError, match="LockNotAvailable"):
        place.add(file, SEPTEMBER, beside)
    assert place.snapshots() == []
    place.add(file, SEPTEMBER, quiet)


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_of_another_encoding_keeps_what_the_register_writes(
    server: Server, tmp_path: Path, encoding: str
) -> None:
    url = server.new_database(uuid4().hex, encoding)
    put(PostgresDestination(url), tmp_path, AUGUST, {CNPJ: "SÃO JOSÉ Ç º\x1d", ROOT: "Ü"})
    found = open_snapshot(Destination(url)).find(CNPJ)
    assert (found.establishment_row, found.company_row) == ("SÃO JOSÉ Ç º\x1d", "Ü")


def test_text_that_the_encoding_lacks_is_an_error_of_one_line(server: Server, tmp_path: Path) -> None:
    place = PostgresDestination(server.new_database(uuid4().hex, "LATIN1"))
    with pytest.raises(SnapshotError, match=r"^PostgreSQL: UntranslatableCharacter: [^\n]*$"):
        place.add(write_file(tmp_path / "month.db", {CNPJ: "✓"}), SEPTEMBER, quiet)
    assert place.snapshots() == []
