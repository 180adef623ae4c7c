"""Months of an odd shape, which are sensible all the same: they are not refused, and what is read of them."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from brskills_server.adapters.snapshots.folder import FILE
from tests.integration.snapshot_builder.building import DAY, current_file, make_copy, publish, reads_as
from tests.register.company import companies
from tests.register.digits import cnpj_digits
from tests.register.files import Month, write_member
from tests.register.layout import members, zips_of
from tests.register.model import Company
from tests.register.rows import COMPANIES, ESTABLISHMENTS, KINDS, fields_of, line


def built(month: Month, folder: Path) -> Path:
    code, said = make_copy(folder, "build", month.folder)
    assert code == 0, said
    return current_file(folder)


def spoil(month: Month, kind: str, lines: list[str], start: bytes = b"") -> None:
    """Other lines of a kind."""
    name = zips_of(kind)[0]
    content = start + "\n".join(lines).encode("latin-1")
    write_member(month.folder / name, members(month.day)[name], content, month.day)


def lines_of(registered: list[Company], kind: str) -> list[str]:
    return [line(row) for company in registered for row in fields_of(company, kind)]


def compared(file: Path) -> int:
    report = json.loads((file.parent / "report.json").read_text(encoding="ascii"))
    return int(report["sample"]["compared"])


def test_files_that_begin_with_a_byte_order_mark(tmp_path):
    registered = list(companies(21, 12))
    month = publish(tmp_path / "in", registered)
    for kind in KINDS:
        spoil(month, kind, lines_of(registered, kind), BOM_UTF8)
    file = built(month, tmp_path / "copy")
    assert {number: reads_as(file, number) for number in month.records()} == month.records()


@pytest.mark.parametrize("kind", [COMPANIES, ESTABLISHMENTS])
def test_a_whole_row_beside_one_that_is_cut_off(tmp_path, kind):
    """The one that cannot be read may have been the one that counts."""
    registered = list(companies(22, 12))
    month = publish(tmp_path / "in", registered)
    row = fields_of(registered[3], kind)[0]
    spoil(month, kind, [*lines_of(registered, kind), line(row[:5])])
    file = built(month, tmp_path / "copy")
    expected = month.records()
    unknown = {n for n in expected if n.startswith("".join(row[: 3 if kind == ESTABLISHMENTS else 1]))}
    for number, record in expected.items():
        assert reads_as(file, number) == ("unknown" if number in unknown else record)


def test_one_company_with_hundreds_of_establishments_and_partners(tmp_path):
    """However few of its like there are, the cross-check has it, and ends."""
    company = next(one for one in companies(23, 50) if one.partners)
    branch, partner = company.branches[0], company.partners[0]
    orders = [f"{n:04}" for n in range(1, 601)]
    company = company._replace(
        branches=tuple(
            branch._replace(order=order, digits=cnpj_digits(company.root + order)) for order in orders
        ),
        partners=tuple(partner._replace(name=f"NOME FICTICIO {n}") for n in range(600)),
    )
    month = publish(tmp_path / "in", [company])
    file = built(month, tmp_path / "copy")
    assert 1 <= compared(file) <= 100
    record = reads_as(file, f"{company.root}0600{cnpj_digits(company.root + '0600')}")
    assert isinstance(record, dict)
    assert len(record["socios"]) == 600


@pytest.mark.parametrize("ending", ["00", "ZZ"])
def test_roots_that_end_alike(tmp_path, ending):
    """The sample is of roots that are there, with letters or without."""
    name = "EXEMPLO " * 240  # so few as these would all be read again if they were not so long
    some = list(companies(24, 40))
    registered = [
        one._replace(
            root=f"{n:06}{ending}",
            name=name.strip(),
            branches=(one.branches[0]._replace(order="0001", digits=cnpj_digits(f"{n:06}{ending}0001")),),
        )
        for n, one in enumerate(some * 20)
    ]
    month = publish(tmp_path / "in", registered)
    assert compared(built(month, tmp_path / "copy")) >= 1
    assert (tmp_path / "copy" / str(DAY) / FILE).exists()
