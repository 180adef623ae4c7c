"""Months with every defect that the published files have had: what is read of them, and what is counted."""

from __future__ import annotations

import json
import random
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.lines import parts
from brskills_server.snapshot_builder.steps import BuildSteps
from tests.integration.snapshot_builder.building import (
    DAY,
    current_file,
    gather,
    make_copy,
    publish,
    reads_as,
    rows_of,
)
from tests.register.company import companies
from tests.register.defects import ALL, spread
from tests.register.files import Month, write_month
from tests.register.model import Partner

CPF = re.compile(r"(?<!\d)\d{3}[-. ]?\d{3}[-. ]?\d{3}[-./ ]?\d{2}(?!\d)")


class Built(NamedTuple):
    month: Month
    folder: Path
    said: str


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Built:
    """700 companies, one with each defect. Twice the build ends early, and its folder is looked at."""
    seed, folder = 1, tmp_path_factory.mktemp("defects")
    registered = list(companies(seed, 700))
    month = publish(folder / "in", registered, DAY, spread(ALL.values(), registered, seed))
    said = ""
    for step in ("join", "cross_check"):
        with patch.object(BuildSteps, step, side_effect=SnapshotError("an early end")):
            code, more = make_copy(folder / "copy", "build", folder / "in")
        assert (code, more.splitlines()[-1]) == (1, "an early end")
        assert_no_cpfs(month, folder / "copy", more)
    code, more = make_copy(folder / "copy", "build", folder / "in")
    assert code == 0, more
    return Built(month, folder / "copy", said + more)


def texts_in(folder: Path) -> Iterator[str]:
    for path in filter(Path.is_file, folder.rglob("*")):
        if path.suffix == ".parquet":
            yield str(duckdb.read_parquet(str(path)).fetchall())
        elif path.suffix == ".db":
            with closing(sqlite3.connect(path)) as connection:
                yield str(connection.execute("SELECT * FROM rows").fetchall())
        yield path.read_bytes().decode("latin-1")


def assert_no_cpfs(month: Month, folder: Path, said: str) -> None:
    found = {re.sub(r"\D", "", cpf) for text in (*texts_in(folder), said) for cpf in CPF.findall(text)}
    assert month.cpfs
    assert not found & month.cpfs


def unwritten(month: Month) -> frozenset[str]:
    """Numbers that occur with wrong check digits alone, which no caller can look up."""
    written = {text[:22] for case in month.cases for _, text in case.lines}
    return frozenset(n for n in month.lost if f'"{n[:8]}";"{n[8:12]}";"{n[12:]}"' not in written)


def assert_true(month: Month, file: Path) -> None:
    """Assert that each number reads as it must, and that no other key exists."""
    expected, nobodys = month.records(), unwritten(month)
    assert {number: reads_as(file, number) for number in expected} == expected
    unknown = month.lost - nobodys
    assert {number: reads_as(file, number) for number in unknown} == dict.fromkeys(unknown, "unknown")
    assert not any(reads_as(file, number) for number in month.illegible | nobodys)
    keys = rows_of(file).keys()
    roots = {number[:8] for number in expected}
    assert expected.keys() | unknown | roots <= keys
    assert keys <= expected.keys() | unknown | roots | {number[:8] for number in unknown}


def test_every_number_reads_as_it_must(built):
    assert_true(built.month, current_file(built.folder))
    assert len(unwritten(built.month)) == 1


def test_no_cpf_is_written_or_printed(built):
    assert_no_cpfs(built.month, built.folder, built.said)


def test_what_was_odd_is_counted(built):
    counts = built.month.counts
    report = json.loads((current_file(built.folder).parent / "report.json").read_text(encoding="utf-8"))
    for kind, read in report["rows"].items():
        assert read["rows"] == sum(n for name, n in built.month.rows.items() if name.startswith(kind))
        # A company with a blank name has a row that can be read, and says too little.
        assert read["rejected"] == counts[kind, "rejected"] - (kind == "Empresas")
    kinds = ("Empresas", "Estabelecimentos", "Simples")  # the same partner twice is one partner
    register = report["register"]
    assert register["repeated"] == sum(counts[kind, "duplicate"] for kind in kinds)
    assert register["contradicted"] == sum(counts[kind, "conflict"] for kind in kinds)
    assert register["establishments"] == len(built.month.records()) + len(built.month.lost) - 1
    assert register["orphans"] == counts["Estabelecimentos", "orphan"] - 1  # that one has its row


@settings(max_examples=3)
@given(
    st.integers(0, 10**6),
    st.sets(st.sampled_from(sorted(ALL)), max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.integers(1_000, 6_000),
)
def test_any_defects_and_any_parts(seed, names, line_end, last_newline, part_bytes):
    registered = list(companies(seed, 25, step=7919))
    cut = partial(parts, part_bytes=part_bytes)
    with (
        tempfile.TemporaryDirectory() as at,
        patch("brskills_server.snapshot_builder.reading.parts", cut),
        patch("brskills_server.snapshot_builder.cross_check.parts", cut),
    ):
        folder = Path(at)
        (folder / "in").mkdir()
        defects = spread([ALL[name] for name in sorted(names)], registered, seed)
        month = write_month(
            folder / "in", registered, DAY, defects, seed=seed, line_end=line_end, last_newline=last_newline
        )
        gather(month, line_end)
        code, said = make_copy(folder / "copy", "build", folder / "in")
        assert code == 0, said
        assert_true(month, current_file(folder / "copy"))


def test_partners_come_in_the_order_of_every_other_provider(tmp_path):
    """Also of partners with equal names, documents or roles."""
    chance = random.Random(0)

    def partner() -> Partner:
        agent = chance.choice(
            [("***000000**", "", "00"), ("***123456**", "BIA", "05"), ("***654321**", "ANA", "")]
        )
        return Partner(
            chance.choice("1239"), chance.choice(["ANA", "BIA"]), chance.choice(["", "***111111**"]),
            chance.choice(["", "49", "22"]), chance.choice(["", "20200101", "20190101"]),
            chance.choice(["", "249"]), *agent, chance.choice("0459"),
        )  # fmt: skip

    registered = [
        company._replace(partners=tuple(partner() for _ in range(40)), branches=company.branches[:1])
        for company in companies(3, 30)
    ]
    month = publish(tmp_path / "in", registered)
    code, said = make_copy(tmp_path / "copy", "build", tmp_path / "in")
    assert code == 0, said
    assert_true(month, current_file(tmp_path / "copy"))
