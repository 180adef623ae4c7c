"""Months with every defect that published files have had: what is read of them, and what is counted."""

import random
import re
import sqlite3
import tempfile
from codecs import BOM_UTF8
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

from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.snapshot_builder import joining
from brskills_server.snapshot_builder.lines import parts
from brskills_server.snapshot_builder.machine import Share
from tests.integration.snapshot_builder.building import (
    DAY,
    assert_holds,
    build,
    content,
    current_file,
    failure,
    interrupted,
    make_copy,
    publish,
    record_of,
    records_of,
    report_of,
    rows_of,
    write_content,
)
from tests.register.company import companies
from tests.register.defects import ALL, spread
from tests.register.digits import cnpj_digits
from tests.register.files import Month
from tests.register.layout import COMPANIES, ESTABLISHMENTS, KINDS, fields_of, line, zips_of
from tests.register.model import Partner

CPF = re.compile(r"(?<!\d)\d{3}[-. ]?\d{3}[-. ]?\d{3}[-./ ]?\d{2}(?!\d)")


class Built(NamedTuple):
    month: Month
    folder: Path
    output: str


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Built:
    """Build 700 companies, one with each defect, interrupted twice; the folder is searched then."""
    seed, folder = 1, tmp_path_factory.mktemp("defects")
    registered = list(companies(seed, 700))
    month = publish(folder / "in", registered, DAY, spread(ALL.values(), registered, seed))
    for step in ("open_joining", "take_sample"):
        with interrupted(step):
            code, output = make_copy(folder / "copy", "build", folder / "in")
        assert code == 1
        assert_no_cpfs(month, folder / "copy", output)
    code, output = make_copy(folder / "copy", "build", folder / "in")
    assert code == 0, output
    return Built(month, folder / "copy", output)


def texts_in(folder: Path) -> Iterator[str]:
    for path in filter(Path.is_file, folder.rglob("*")):
        if path.suffix == ".parquet":
            yield str(duckdb.read_parquet(str(path)).fetchall())
        elif path.suffix == ".db":
            with closing(sqlite3.connect(path)) as connection:
                is_index = path.name == SEARCH_FILE
                statement = "SELECT word FROM vocabulary" if is_index else "SELECT * FROM rows"
                yield str(connection.execute(statement).fetchall())
        yield path.read_bytes().decode("latin-1")


def assert_no_cpfs(month: Month, folder: Path, output: str) -> None:
    found = {re.sub(r"\D", "", cpf) for text in (*texts_in(folder), output) for cpf in CPF.findall(text)}
    assert month.cpfs
    assert not found & month.cpfs


def unwritten(month: Month) -> frozenset[str]:
    """Return numbers that occur with wrong check digits alone, which cannot be looked up."""
    written = {text[:22] for case in month.cases for _, text in case.lines}
    return frozenset(n for n in month.lost if f'"{n[:8]}";"{n[8:12]}";"{n[12:]}"' not in written)


def assert_true(month: Month, file: Path) -> None:
    """Assert that each number has its record, and that no other key exists."""
    expected, nobodys = month.records(), unwritten(month)
    for number, record in expected.items():
        place = record["endereco"]
        if not ((record["situacao_cadastral"] or {}).get("codigo") or place["codigo_siafi"] or place["cep"]):
            expected[number] = "unknown"
    assert records_of(file, expected) == expected
    unknown = month.lost - nobodys
    assert records_of(file, unknown) == dict.fromkeys(unknown, "unknown")
    assert not any(records_of(file, month.illegible | nobodys).values())
    keys = rows_of(file).keys()
    roots = {number[:8] for number in expected}
    assert expected.keys() | unknown | roots <= keys
    assert keys <= expected.keys() | unknown | roots | {number[:8] for number in unknown}


def test_every_number_has_its_record(built):
    assert_true(built.month, current_file(built.folder))
    assert len(unwritten(built.month)) == 1


def test_no_cpf_is_written_or_printed(built):
    assert_no_cpfs(*built)


def test_odd_rows_are_counted(built):
    counts = built.month.counts
    report = report_of(current_file(built.folder))
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


@settings(max_examples=settings.default.max_examples // 10)
@given(
    st.integers(0, 10**6),
    st.sets(st.sampled_from(sorted(ALL)), max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.integers(1_000, 6_000),
)
def test_any_defects_and_any_parts(seed, names, line_end, last_newline, part_bytes):
    registered = list(companies(seed, 25, step=7919))
    defects = spread([ALL[name] for name in sorted(names)], registered, seed)
    cut = partial(parts, part_bytes=part_bytes)
    with (
        tempfile.TemporaryDirectory() as at,
        patch("brskills_server.snapshot_builder.steps.parts", cut),
        patch("brskills_server.snapshot_builder.lines._SEARCHED_BYTES", part_bytes),
    ):
        options = {"seed": seed, "line_end": line_end, "last_newline": last_newline}
        month = publish(Path(at) / "in", registered, DAY, defects, **options)
        assert_true(month, build(Path(at) / "copy", month.folder))


def test_partners_have_the_order_of_every_other_provider(tmp_path):
    """Also those with equal names, documents or roles. And a file may begin with a byte order mark."""
    chance = random.Random(0)
    agents = [("***000000**", "", "00"), ("***123456**", "BIA", "05"), ("***654321**", "ANA", "")]

    def partner() -> Partner:
        return Partner(
            chance.choice("1239"), chance.choice(["ANA", "BIA"]), chance.choice(["", "***111111**"]),
            chance.choice(["", "49", "22"]), chance.choice(["", "20200101", "20190101"]),
            chance.choice(["", "249"]), *chance.choice(agents), chance.choice("0459"),
        )  # fmt: skip

    registered = [
        company._replace(partners=tuple(partner() for _ in range(40)), branches=company.branches[:1])
        for company in companies(3, 30)
    ]
    month = publish(tmp_path / "in", registered)
    for path in (month.folder / zips_of(kind)[0] for kind in KINDS):
        write_content(path, BOM_UTF8 + content(path))
    assert_true(month, build(tmp_path / "copy", month.folder))


@pytest.mark.parametrize("kind", [COMPANIES, ESTABLISHMENTS])
def test_a_whole_row_beside_one_that_is_cut_off(tmp_path, kind):
    """The one that cannot be read may have been the one that counts."""
    registered = list(companies(22, 12))
    month = publish(tmp_path / "in", registered)
    row = fields_of(registered[3], kind)[0]
    path = month.folder / zips_of(kind)[0]
    # Of the last establishment no row can be read, nor one of its company.
    alone = ("93000000", "0001", cnpj_digits("930000000001"), "1")
    further = [line(row[:5]), line(alone if kind == ESTABLISHMENTS else alone[:2])]
    write_content(path, content(path).rstrip(b"\n") + "\n".join(["", *further]).encode())
    file, expected = build(tmp_path / "copy", month.folder), month.records()
    unknown = {n for n in expected if n.startswith("".join(row[: 3 if kind == ESTABLISHMENTS else 1]))}
    assert records_of(file, expected) == expected | dict.fromkeys(unknown, "unknown")
    assert record_of(file, "".join(alone[:3])) == ("unknown" if kind == ESTABLISHMENTS else None)


def test_one_company_with_hundreds_of_establishments_and_partners(tmp_path):
    """The cross-check has it in any case, and ends."""
    company = next(one for one in companies(23, 50) if one.partners)
    branch, partner = company.branches[0], company.partners[0]
    orders = [f"{n:04}" for n in range(1, 201)]
    company = company._replace(
        branches=tuple(
            branch._replace(order=order, digits=cnpj_digits(company.root + order)) for order in orders
        ),
        partners=tuple(partner._replace(name=f"NOME FICTICIO {n}") for n in range(200)),
    )
    file = build(tmp_path / "copy", publish(tmp_path / "in", [company]).folder)
    assert 1 <= report_of(file)["sample"]["compared"] <= 100
    record = record_of(file, f"{company.root}0200{cnpj_digits(company.root + '0200')}")
    assert isinstance(record, dict)
    assert len(record["socios"]) == 200


@pytest.mark.parametrize("ending", ["00", "ZZ"])
def test_the_sample_is_of_existing_roots(tmp_path, ending):
    """With letters or without: half of the roots have the ending, and the others another one."""
    registered = [
        one._replace(
            root=(root := f"{n:06}{(ending, '17')[n % 2]}"),
            branches=(one.branches[0]._replace(order="0001", digits=cnpj_digits(f"{root}0001")),),
        )
        for n, one in enumerate(companies(24, 40))
    ]
    with patch("brskills_server.snapshot_builder.cross_check._ROOTS", 0.4):
        file = build(tmp_path / "copy", publish(tmp_path / "in", registered).folder)
    assert report_of(file)["sample"]["compared"] == 20


@pytest.mark.parametrize("kind", ["Empresas", "Simples", "Socios"])
def test_a_company_that_no_memory_holds_ends_the_build(tmp_path, kind):
    month = publish(tmp_path / "in", companies(1, 12), DAY)
    file, size = month.folder / zips_of(kind)[0], joining._MOST_BYTES
    rows = content(file).rstrip(b"\n").split(b"\n")
    write_content(file, b"\n".join([*rows, *rows[:1] * joining._MOST_ROWS]), DAY)
    least = joining._TOO_LARGE["Socios"].replace(str(size), "1000")
    with patch.dict(joining._TOO_LARGE, Socios=least):
        assert failure(tmp_path / "copy", month.folder) == f"{kind} has too many rows of one company"


def test_rows_of_no_company_may_be_many(tmp_path):
    month = publish(tmp_path / "in", companies(1, 12), DAY)
    file = month.folder / zips_of("Simples")[0]
    rows = content(file).rstrip(b"\n").split(b"\n")
    of_none = rows[0].replace(rows[0][1:9], b"99999999")
    write_content(file, b"\n".join([*rows, *[of_none] * 2 * joining._MOST_ROWS]), DAY)
    assert build(tmp_path / "copy", month.folder)


def test_ranges_without_partners_and_options_are_joined(tmp_path):
    first, *others = companies(1, 12, step=1_000_003)
    month = publish(tmp_path / "in", [first._replace(partners=(), simples=None, mei=None), *others], DAY)
    with patch.object(Share, "rows", 1):
        build(tmp_path / "copy", month.folder)
    assert_holds(tmp_path / "copy", month)
