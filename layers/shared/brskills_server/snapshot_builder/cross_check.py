"""A sample of the files read a second time, by other means: Python's CSV parser, and what reads every other
provider. What a look-up in the new copy gives must be the same.
"""

from __future__ import annotations

import csv
import random
import re
import string
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from math import log10
from pathlib import Path

from brskills_server.adapters.snapshots.folder import MonthFile
from brskills_server.registry import tables
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.reading.fields import FieldMap
from brskills_server.registry.providers.reading.reader import read_record
from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany, record_text
from brskills_server.registry.values import read_place_code, read_text
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.lines import parts
from brskills_server.snapshot_builder.source_files import PublishedMonth
from taxid import cnpj

__all__ = ["Sample", "take_sample"]

_ROOTS = 300
_PART_BYTES = 1024 * 1024
_MOST_BYTES, _BYTES_OF_A_ROW = 256 * 1024**2, 4096
"""What the sample may take of memory, and what a row of it takes beside its text: 60,000 rows, where a real
sample has some thousand, or five times that with the company of the most establishments in it."""
_BRANCHES = 20  # of a root that are looked up: a few roots have thousands of them, or of partners
_ROOT = re.compile(rb'\n"?([0-9A-Za-z]{8})"?;')
_LINE = re.compile(rb"[^\n ][^\n]*")
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
Rows = dict[str, dict[tuple[str, ...], Row]]
"""The rows of a root by kind, each once."""


def _option(name: str) -> FieldMap:
    return {
        "optante": f"simples.{name}",
        "data_opcao": f"simples.{name}_since",
        "data_exclusao": f"simples.{name}_until",
    }


def _siafi(code: str) -> str:
    return read_place_code(code, 4) or ""


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
        "municipio": lambda row: tables.description("municipios_siafi", _siafi(row["city"])),
        "codigo_siafi": "city",
        "codigo_ibge": lambda row: tables.ibge_code(_siafi(row["city"]), read_text(row["state"]) or ""),
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


def take_sample(
    month: PublishedMonth,
    file: Path,
    counts: Mapping[str, int],
    report: Callable[[int], None] = lambda _: None,
) -> Sample:
    """Read some hundred companies again and look them up. ``report``: told of bytes as they are read.

    ``counts``: the rows of each kind that the first reading found. Raises ``SnapshotError`` where this one finds
    another number, and where the sample is larger than one of a register.
    """
    rows = _rows_of_some(month, counts, report)
    copy = MonthFile(file)
    sample = Sample()
    for of_root in rows.values():
        for answer in _answers(of_root, month.day.isoformat()):
            _compare(answer, copy, sample)
    return sample


def _rows_of_some(
    month: PublishedMonth, counts: Mapping[str, int], report: Callable[[int], None]
) -> dict[str, Rows]:
    """The rows of roots that end alike, by root and kind."""
    length = min(7, round(log10(max(counts["Empresas"] / _ROOTS, 1))))
    ending = _ending_of_some_root(month, length)
    pattern = re.compile(rb'\n"?([0-9A-Za-z]{%d}%b)"?;[^\n]*' % (8 - length, ending))
    found: dict[str, Rows] = defaultdict(lambda: defaultdict(dict))
    spoilt: set[str] = set()
    lines_of: Counter[str] = Counter()
    held = 0
    for published in month.files:
        names = _COLUMNS.get(published.kind)
        if names is None:
            continue
        before = 0
        for lines, done in parts(published, part_bytes=_PART_BYTES):
            lines_of[published.kind] += len(_LINE.findall(lines))
            for match in pattern.finditer(b"\n" + lines):
                held += len(match[0]) + _BYTES_OF_A_ROW
                if held > _MOST_BYTES:
                    raise SnapshotError(
                        f"{published.path.name} has more rows of some companies than a register"
                    )
                root = match[1].decode().upper()
                row = _parsed(match[0].decode().strip(), names)
                if row is None:
                    spoilt.add(root)
                else:
                    found[root][published.kind][tuple(row.values())] = row
            report(done - before)
            before = done
    if lines_of != Counter(counts):  # a kind without rows is in neither
        raise SnapshotError(
            f"the readings differ: {dict(counts)} rows, and {dict(lines_of)} in the second one"
        )
    return {root: rows for root, rows in found.items() if root not in spoilt}


def _ending_of_some_root(month: PublishedMonth, length: int) -> bytes:
    """A pattern of the last characters of a root that is there, so that the sample is never empty.

    Each of them stands for one digit and two or three letters: roots with letters are tried as often.
    """
    chance = random.Random(month.id)  # noqa: S311, another sample each month
    for published in month.of("Empresas"):
        for lines, _ in parts(published, part_bytes=_PART_BYTES):
            if roots := _ROOT.findall(b"\n" + lines):
                root = chance.choice(roots).decode().upper()
                return "".join(map(_alike, root[8 - length :])).encode()
    return b"[0-9]" * length


def _alike(character: str) -> str:
    """The class of all characters with the same last digit of their number in the alphabet.

    >>> _alike("1"), _alike("B")
    ('[1BLVblv]', '[1BLVblv]')
    """
    alphabet = string.ascii_uppercase
    digit = int(character) if character.isdigit() else alphabet.index(character) % 10
    letters = alphabet[digit::10]
    return f"[{digit}{letters}{letters.lower()}]"


def _parsed(line: str, names: tuple[str, ...]) -> Row | None:
    """A row that a strict CSV parser can read."""
    try:
        values = next(csv.reader([line], delimiter=";", strict=True))
    except csv.Error:
        return None
    return dict(zip(names, values, strict=True)) if len(values) == len(names) else None


def _answers(rows: Rows, day: str) -> Iterator[dict[str, object]]:
    """What ``_FIELDS`` reads, one an establishment; nothing where the rows contradict one another."""
    companies, simples, partners, branches = (
        list(rows[kind].values()) for kind in ("Empresas", "Simples", "Socios", "Estabelecimentos")
    )
    if len(companies) != 1 or len(simples) > 1:
        return
    numbers = Counter(row["order"] for row in branches)
    for row in branches[:_BRANCHES]:
        if numbers[row["order"]] == 1:
            yield {
                **row,
                "company": companies[0],
                "simples": simples[0] if simples else {},
                "partners": partners,
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
    company = SnapshotCompany(expected.cnpj, *found, Edition(copy.edition.day))
    read = type(expected).model_validate_json(record_text(company))
    if read != expected:
        sample["different"] += 1
        sample.update(
            f"different.{name}"
            for name in type(expected).model_fields
            if getattr(read, name) != getattr(expected, name)
        )
