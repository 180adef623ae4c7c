"""A snapshot that differs from the files: the cross-check finds it."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from brskills_server.adapters.snapshots.folder import FILE, current_name
from brskills_server.registry.snapshot.rows import COMPANY_FIELDS, ESTABLISHMENT_FIELDS, FIELD_SEPARATOR
from tests.integration.snapshot_builder.building import failure, interrupted

Change = Callable[[sqlite3.Connection], object]


@pytest.fixture(scope="module")
def joined(months, tmp_path_factory) -> Path:
    """Return a build that was interrupted before the cross-check."""
    folder = tmp_path_factory.mktemp("joined") / "copy"
    with interrupted():
        failure(folder, months[0].folder)
    return folder


@pytest.fixture
def copy(joined, tmp_path) -> Path:
    return shutil.copytree(joined, tmp_path / "copy")


def each_row(change: Callable[[str, list[str]], list[str]]) -> Change:
    """Change the fields of each row."""

    def run(connection: sqlite3.Connection) -> None:
        for key, body in connection.execute("SELECT key, body FROM rows ORDER BY key").fetchall():
            changed = FIELD_SEPARATOR.join(change(key, body.split(FIELD_SEPARATOR)))
            connection.execute("UPDATE rows SET body = ? WHERE key = ?", (changed, key))

    return run


def columns_swapped(key: str, fields: list[str]) -> list[str]:
    if len(key) == 14:
        one, other = ESTABLISHMENT_FIELDS.index("status"), ESTABLISHMENT_FIELDS.index("status_reason")
        fields[one], fields[other] = fields[other], fields[one]
    return fields


def accents_lost(key: str, fields: list[str]) -> list[str]:
    return [field.encode().decode("iso-8859-1") for field in fields]


def cents_lost(key: str, fields: list[str]) -> list[str]:
    place = COMPANY_FIELDS.index("capital")
    if len(key) == 8 and fields[place]:
        fields[place] = fields[place].replace(".00", ".01")
    return fields


def partners_shifted() -> Callable[[str, list[str]], list[str]]:
    """Give every company the partners of the one before."""
    place, last = COMPANY_FIELDS.index("partners"), ""

    def change(key: str, fields: list[str]) -> list[str]:
        nonlocal last
        if len(key) == 8:
            fields[place], last = last, fields[place]
        return fields

    return change


def companies_missing(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM rows WHERE key LIKE '%2' AND length(key) = 14")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (each_row(columns_swapped), "situacao_cadastral"),
        (each_row(accents_lost), "endereco"),
        (each_row(partners_shifted()), "socios"),
        (each_row(cents_lost), "capital_social"),
        (companies_missing, "missing"),
    ],
)
def test_a_snapshot_with_other_records_is_not_put_in_place(
    months, copy: Path, change: Change, field: str
) -> None:
    (file,) = copy.glob(f"work/*/first/{FILE}")
    with closing(sqlite3.connect(file)) as connection, connection:
        change(connection)
    reason = failure(copy, months[0].folder)
    assert "look-ups differ in the cross-check" in reason
    assert field in reason
    assert current_name(copy) is None


def test_too_large_a_sample_ends_the_build(months, copy):
    with patch("brskills_server.snapshot_builder.cross_check._MAX_BYTES", 100_000):
        assert "too many rows of some companies" in failure(copy, months[0].folder)
