"""A sample of the files read a second time, by other means: Python's CSV parser, and what reads every other
provider. What a look-up in the new copy gives must be the same.
"""

from __future__ import annotations

import csv
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from math import log10
from pathlib import Path

from adapters.copies.folder import MonthFile
from copy_builder.files import PublishedMonth
from copy_builder.lines import parts
from registry import tables
from registry.copied import CopiedCompany, Edition, record_text
from registry.providers import Provider
from registry.providers.fields import FieldMap
from registry.providers.reader import read_record
from registry.values import read_place_code
from taxid import cnpj

__all__ = ["Sample", "take_sample"]

_ROOTS = 300
_BYTES_OF_A_COMPANY = 380  # in all files together
_COLUMNS = {
    "Empresas": ("root", "name", "nature", "responsible", "capital", "size", "jurisdiction"),
    "Estabelecimentos": (
        "root", "order", "digits", "kind", "trade_name", "status", "status_date", "reason", "city_abroad",
        "country", "opened", "activity", "others", "street_type", "street", "number", "complement",
        "district", "postal_code", "state", "city", "area_1", "phone_1", "area_2", "phone_2", "area_fax",
        "fax", "email", "special", "special_date",
    ),
    "Socios": (
        "root", "kind", "name", "document", "role", "since", "country", "agent", "agent_name", "agent_role",
        "age",
    ),
    "Simples": ("root", "simples", "simples_since", "simples_until", "mei", "mei_since", "mei_until"),
}  # fmt: skip

Row = dict[str, str]
Rows = dict[str, list[Row]]


def _option(name: str) -> FieldMap:
    return {
        "optante": f"simples.{name}",
        "data_opcao": f"simples.{name}_since",
        "data_exclusao": f"simples.{name}_until",
    }


def _city(code: str) -> str | None:
    return tables.description("municipios_siafi", read_place_code(code, 4) or "")


_FIELDS: FieldMap = {
    "cnpj": lambda row: (row["root"] + row["order"] + row["digits"]).upper(),
    "matriz": "kind",
    "razao_social": "company.name",
    "nome_fantasia": "trade_name",
    "situacao_cadastral": {"codigo": "status", "data": "status_date", "motivo": {"codigo": "reason"}},
    "natureza_juridica": {"codigo": "company.nature"},
    "porte": {"codigo": "company.size"},
    "capital_social": "company.capital",
    "data_inicio_atividade": "opened",
    "cnae_principal": {"codigo": "activity"},
    "cnaes_secundarios": {
        "rows": lambda row: [{"code": code} for code in row["others"].split(",")],
        "codigo": "code",
    },
    "endereco": {
        "tipo_logradouro": "street_type",
        "logradouro": "street",
        "numero": "number",
        "complemento": "complement",
        "bairro": "district",
        "cep": "postal_code",
        "municipio": lambda row: _city(row["city"]),
        "codigo_siafi": "city",
        "uf": "state",
        "pais": {"codigo": "country"},
    },
    "telefones": {
        "rows": lambda row: [{"area": row[f"area_{n}"], "number": row[f"phone_{n}"]} for n in "12"],
        "ddd": "area",
        "numero": "number",
    },
    "email": "email",
    "simples": _option("simples"),
    "mei": _option("mei"),
    "socios": {
        "rows": "partners",
        "nome": "name",
        "tipo": "kind",
        "documento": "document",
        "qualificacao": {"codigo": "role"},
        "data_entrada": "since",
        "faixa_etaria": "age",
        "pais": {"codigo": "country"},
        "representante_legal": {
            "nome": "agent_name", "documento": "agent", "qualificacao": {"codigo": "agent_role"},
        },
    },
    "situacao_especial": "special",
    "ente_federativo": "company.jurisdiction",
    "data_base": "day",
}  # fmt: skip
_PROVIDER = Provider(id="receita", group="receita", base_url="", path="", timeout=0, fields=_FIELDS)


class Sample(Counter[str]):
    """Counts: ``compared`` establishments, ``different`` ones, and ``different.<field>`` of the record."""


def take_sample(month: PublishedMonth, file: Path, report: Callable[[int], None] = lambda _: None) -> Sample:
    """Read about 300 companies again and look them up. ``report``: told of bytes as they are read."""
    rows = _rows_of_some(month, report)
    copy = MonthFile(file)
    sample = Sample()
    for of_root in rows.values():
        for answer in _answers(of_root, month.day.isoformat()):
            _compare(answer, copy, sample)
    return sample


def _rows_of_some(month: PublishedMonth, report: Callable[[int], None]) -> dict[str, Rows]:
    """The rows of roots that end in the same few digits, by root and kind."""
    companies = month.content_size / _BYTES_OF_A_COMPANY
    length = min(7, max(0, int(log10(max(companies / _ROOTS, 1)))))
    chance = random.Random(month.id)  # noqa: S311, another sample each month
    suffix = "".join(chance.choice("0123456789") for _ in range(length))
    pattern = re.compile(rb'\n"?([0-9A-Za-z]{%d}%b)"?;[^\n]*' % (8 - length, suffix.encode()))
    found: dict[str, Rows] = defaultdict(lambda: defaultdict(list))
    spoilt: set[str] = set()
    for published in month.files:
        names = _COLUMNS.get(published.kind)
        if names is None:
            continue
        before = 0
        for lines, done in parts(published):
            for match in pattern.finditer(b"\n" + lines):
                root = match[1].decode().upper()
                row = _parsed(match[0].decode().strip(), names)
                if row is None:
                    spoilt.add(root)
                elif row not in found[root][published.kind]:
                    found[root][published.kind].append(row)
            report(done - before)
            before = done
    return {root: rows for root, rows in found.items() if root not in spoilt}


def _parsed(line: str, names: tuple[str, ...]) -> Row | None:
    """A row that a strict CSV parser can read."""
    try:
        values = next(csv.reader([line], delimiter=";", strict=True))
    except csv.Error:
        return None
    return dict(zip(names, values, strict=True)) if len(values) == len(names) else None


def _answers(rows: Rows, day: str) -> Iterator[dict[str, object]]:
    """What ``_FIELDS`` reads, one an establishment; nothing where the rows contradict one another."""
    companies, simples = rows["Empresas"], rows["Simples"]
    if len(companies) != 1 or len(simples) > 1:
        return
    numbers = Counter(row["order"] for row in rows["Estabelecimentos"])
    for row in rows["Estabelecimentos"]:
        if numbers[row["order"]] == 1:
            yield {
                **row,
                "company": companies[0],
                "simples": simples[0] if simples else {},
                "partners": rows["Socios"],
                "day": day,
            }


def _compare(answer: dict[str, object], copy: MonthFile, sample: Sample) -> None:
    try:
        expected = read_record(_PROVIDER, answer)
    except (ValueError, ArithmeticError):
        return  # not a record: the copy need not have it
    if not cnpj.is_valid(expected.cnpj):
        return  # nobody can ask for it
    found = copy.find(expected.cnpj)
    if found and not all(found):
        return  # it has said itself that it could not read it
    sample["compared"] += 1
    if found is None:
        sample.update(("different", "different.missing"))
        return
    # Of codes that only the month's tables know this reading has no texts.
    company = CopiedCompany(expected.cnpj, *found, Edition(copy.edition.day))
    read = type(expected).model_validate_json(record_text(company))
    if read != expected:
        sample["different"] += 1
        sample.update(
            f"different.{name}"
            for name in type(expected).model_fields
            if getattr(read, name) != getattr(expected, name)
        )
