"""A month's file that says something else than the files: the cross-check finds it."""

from __future__ import annotations

import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from brskills_server.adapters.snapshots.folder import FILE, current_name
from brskills_server.registry.snapshot.rows import BRANCH_FIELDS, FIELD, ROOT_FIELDS
from brskills_server.snapshot_builder.lines import parts
from tests.integration.snapshot_builder.building import make_copy, publish
from tests.integration.snapshot_builder.test_whole_files import announced
from tests.register.company import companies
from tests.register.files import Month, write_member
from tests.register.layout import members

Body = Callable[[str, list[str]], list[str]]


@pytest.fixture(scope="module")
def month(tmp_path_factory) -> Month:
    return publish(tmp_path_factory.mktemp("month") / "in", companies(17, 150))


@pytest.fixture(scope="module")
def joined(month, tmp_path_factory) -> Path:
    """A build that was interrupted before the cross-check."""
    folder = tmp_path_factory.mktemp("joined") / "copy"
    with patch("brskills_server.snapshot_builder.steps.take_sample", side_effect=KeyboardInterrupt):
        assert make_copy(folder, "build", month.folder)[0] == 1
    return folder


@pytest.fixture
def copy(joined, tmp_path) -> Path:
    return shutil.copytree(joined, tmp_path / "copy")


def joined_file(copy: Path) -> Path:
    (file,) = copy.glob(f"work/*/first/{FILE}")
    return file


def tampered(file: Path, change: Body) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for key, body in connection.execute("SELECT key, body FROM rows").fetchall():
            changed = FIELD.join(change(key, body.split(FIELD)))
            connection.execute("UPDATE rows SET body = ? WHERE key = ?", (changed, key))
        connection.commit()


def columns_swapped(key: str, fields: list[str]) -> list[str]:
    if len(key) == 14:
        one, other = BRANCH_FIELDS.index("status"), BRANCH_FIELDS.index("status_reason")
        fields[one], fields[other] = fields[other], fields[one]
    return fields


def accents_lost(key: str, fields: list[str]) -> list[str]:
    return [field.encode().decode("iso-8859-1") for field in fields]


def partners_shifted() -> Body:
    """Every company has the partners of the one before."""
    place, last = ROOT_FIELDS.index("partners"), ""

    def change(key: str, fields: list[str]) -> list[str]:
        nonlocal last
        if len(key) == 8:
            fields[place], last = last, fields[place]
        return fields

    return change


def cents_lost(key: str, fields: list[str]) -> list[str]:
    place = ROOT_FIELDS.index("capital")
    if len(key) == 8 and fields[place]:
        fields[place] = fields[place].replace(".00", ".01")
    return fields


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (columns_swapped, "situacao_cadastral"),
        (accents_lost, "endereco"),
        (partners_shifted(), "socios"),
        (cents_lost, "capital_social"),
    ],
)
def test_a_snapshot_that_reads_otherwise_is_not_put_in_place(month, copy, change, field):
    tampered(joined_file(copy), change)
    code, said = make_copy(copy, "build", month.folder)
    assert code == 1
    assert "look-ups differ in the cross-check" in said.splitlines()[-1]
    assert field in said.splitlines()[-1]
    assert current_name(copy) is None


def test_companies_that_are_missing(month, copy):
    with closing(sqlite3.connect(joined_file(copy))) as connection, connection:
        connection.execute("DELETE FROM rows WHERE key LIKE '%2' AND length(key) = 14")
    code, said = make_copy(copy, "build", month.folder)
    assert (code, "missing" in said.splitlines()[-1]) == (1, True)


def test_fewer_rows_in_the_cross_check_end_the_build(month, copy):
    def shorter(file, **given):
        for lines, done in parts(file, **given):
            yield lines[: lines.rstrip(b"\n").rfind(b"\n")], done

    with patch("brskills_server.snapshot_builder.cross_check.parts", shorter):
        code, said = make_copy(copy, "build", month.folder)
    assert code == 1
    assert said.splitlines()[-1].startswith("the readings differ: {")
    assert current_name(copy) is None


def test_too_large_a_sample_ends_the_build(month, copy):
    with patch("brskills_server.snapshot_builder.cross_check._MAX_BYTES", 100_000):
        code, said = make_copy(copy, "build", month.folder)
    assert (code, "too many rows of some companies" in said) == (1, True)


def test_a_false_size_does_not_shorten_the_cross_check(month, tmp_path):
    shutil.copytree(month.folder, tmp_path / "in")
    announced(16_000_000)(tmp_path / "in", "Empresas0.zip")
    code, said = make_copy(tmp_path / "copy", "build", tmp_path / "in")
    assert (code, "Empresas0.zip is" in said.splitlines()[-1]) == (1, True)
    assert current_name(tmp_path / "copy") is None


def test_a_long_line_does_not_shorten_the_cross_check(month, tmp_path):
    shutil.copytree(month.folder, tmp_path / "in")
    path = tmp_path / "in" / "Empresas0.zip"
    with zipfile.ZipFile(path) as archive:
        rows = archive.read(archive.infolist()[0])
    long = b'"99999999";"' + b"A" * 15_000_000 + b'";"2062";"49";"1000,00";"01";""\n'
    write_member(path, members(month.day)[path.name], rows.rstrip(b"\n") + b"\n" + long, month.day)
    code, said = make_copy(tmp_path / "copy", "build", tmp_path / "in")
    assert (code, said.splitlines()[-1]) == (1, "Empresas0.zip has a line of more than 131,072 bytes")
