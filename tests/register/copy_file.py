"""A copy of the register for tests: the file that the builder would write, out of canonical records."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

from brskills_server.adapters.snapshots.folder import CURRENT, FILE, SCHEMA
from brskills_server.adapters.snapshots.stored import FORMAT
from brskills_server.registry.snapshot.rows import (
    COMPANY_FIELDS,
    ESTABLISHMENT_FIELDS,
    FIELD_SEPARATOR,
    ITEM_SEPARATOR,
    PART_SEPARATOR,
    PARTNER_FIELDS,
)

Json = dict[str, Any]


def write_copy(
    folder: Path,
    companies: Iterable[Json] | Mapping[str, str],
    day: date,
    name: str | None = None,
) -> Path:
    """Write a month's file and put it in place.

    ``companies``: canonical records, or rows by their keys. ``name``: of the sub-folder, else the day's.
    """
    rows = companies if isinstance(companies, Mapping) else {}
    for record in () if isinstance(companies, Mapping) else companies:
        rows = {**rows, **rows_of(record)}
    name = name or day.isoformat()
    file = folder / name / FILE
    file.parent.mkdir(parents=True)
    facts = {"format": FORMAT, "day": day.isoformat(), "texts": "{}", "id": name}
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript(SCHEMA)
        database.executemany("INSERT INTO rows VALUES (?, ?)", rows.items())
        database.executemany("INSERT INTO edition VALUES (?, ?)", facts.items())
    put_in_place(folder, name)
    return file


def put_in_place(folder: Path, name: str) -> None:
    """Name the month that is in place, in one step."""
    written = folder / f"{CURRENT}.new"
    written.write_text(f"{name}\n", encoding="ascii")
    written.replace(folder / CURRENT)


def rows_of(record: Json) -> dict[str, str]:
    """Return the rows of an establishment and of its root, by their keys."""
    branch, root = _branch(record), _root(record)
    return {
        record["cnpj"]: FIELD_SEPARATOR.join(branch.get(name) or "" for name in ESTABLISHMENT_FIELDS),
        record["cnpj"][:8]: FIELD_SEPARATOR.join(root.get(name) or "" for name in COMPANY_FIELDS),
    }


def _branch(record: Json) -> dict[str, str | None]:
    status, place = record["situacao_cadastral"], record["endereco"]
    phones = dict(enumerate(record["telefones"], 1))
    return {
        "kind": "1" if record["matriz"] else "2",
        "trade_name": record["nome_fantasia"],
        "status": status["codigo"],
        "status_date": _day(status["data"]),
        "status_reason": _code(status["motivo"]),
        "opened": _day(record["data_inicio_atividade"]),
        "activity": _code(record["cnae_principal"]),
        "other_activities": ",".join(activity["codigo"] for activity in record["cnaes_secundarios"]),
        "street_type": place["tipo_logradouro"],
        "street": place["logradouro"],
        "number": place["numero"],
        "complement": place["complemento"],
        "district": place["bairro"],
        "postal_code": place["cep"],
        "state": place["uf"],
        "city": place["codigo_siafi"],
        "email": record["email"],
        "special_status": record["situacao_especial"],
        "special_date": _day(record["data_situacao_especial"]),
        "city_abroad": place["cidade_exterior"],
        "fax_area": (record["fax"] or {}).get("ddd"),
        "fax": (record["fax"] or {}).get("numero"),
        **{f"area_{n}": phone["ddd"] for n, phone in phones.items()},
        **{f"phone_{n}": phone["numero"] for n, phone in phones.items()},
    }


def _root(record: Json) -> dict[str, str | None]:
    return {
        "name": record["razao_social"],
        "nature": _code(record["natureza_juridica"]),
        "responsible": _code(record["qualificacao_do_responsavel"]),
        "capital": record["capital_social"],
        "size": _code(record["porte"]),
        "jurisdiction": record["ente_federativo"],
        **_option(record, "simples"),
        **_option(record, "mei"),
        "partners": ITEM_SEPARATOR.join(_partner(partner) for partner in record["socios"]),
    }


def _option(record: Json, name: str) -> dict[str, str | None]:
    option = record[name] or dict.fromkeys(("optante", "data_opcao", "data_exclusao", "data_sem_efeito"))
    return {
        name: {True: "S", False: "N"}.get(option["optante"]),
        f"{name}_since": _day(option["data_opcao"]),
        f"{name}_until": _day(option["data_exclusao"]),
        f"{name}_void": _day(option["data_sem_efeito"]),
    }


def _partner(partner: Json) -> str:
    facts = {
        "kind": {"PJ": "1", "PF": "2", "ESTRANGEIRO": "3"}[partner["tipo"]],
        "name": partner["nome"],
        "document": partner["documento"],
        "role": _code(partner["qualificacao"]),
        "since": _day(partner["data_entrada"]),
    }
    return PART_SEPARATOR.join(facts.get(name) or "" for name in PARTNER_FIELDS)


def _code(coded: Json | None) -> str | None:
    return coded["codigo"] if coded else None


def _day(day: str | None) -> str | None:
    return day.replace("-", "") if day else None
