"""The rows of the register's snapshot, and the record of a company in them.

Each company (name, capital, partners) and each establishment has one: fields in a fixed order and canonical
form (texts cleaned, codes padded, days as ``20051103``, absent values empty).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from brskills_server.registry import tables
from brskills_server.registry.free_text import clean_text
from brskills_server.registry.privacy import hide_cpfs
from brskills_server.registry.snapshot import values

FIELD_SEPARATOR, ITEM_SEPARATOR, PART_SEPARATOR = "\x1d", "\x1e", "\x1f"
"""The separators of a row's fields, of the partners in one field, and of a partner's fields."""

ESTABLISHMENT_FIELDS = (
    "kind", "trade_name", "status", "status_date", "status_reason", "country", "opened", "activity",
    "other_activities", "street_type", "street", "number", "complement", "district", "postal_code", "state",
    "city", "area_1", "phone_1", "area_2", "phone_2", "email", "special_status",
    "city_abroad", "fax_area", "fax", "special_date",
)  # fmt: skip
COMPANY_FIELDS = (
    "name", "nature", "capital", "size", "jurisdiction", "simples", "simples_since", "simples_until",
    "mei", "mei_since", "mei_until", "partners", "responsible", "simples_void", "mei_void",
)  # fmt: skip
PARTNER_FIELDS = (
    "kind", "name", "document", "role", "since", "country", "agent_document", "agent_name", "agent_role",
    "age_band",
)  # fmt: skip

_HEAD_OFFICE = {"1": True, "2": False}

_TEXTS = frozenset((
    "trade_name", "street_type", "street", "number", "complement", "district", "state", "email",
    "special_status", "city_abroad", "name", "jurisdiction", "agent_name",
))  # fmt: skip


class Edition(NamedTuple):
    """One month's data: its day, and by table the texts of codes that only its files have.

    ``texts`` also holds the frontier of roots, which is no table (``registry.frontier``).

    ``id``: of the build that made it, and of no other.
    """

    day: date
    texts: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    id: str = ""

    def text(self, table: str, code: str) -> str | None:
        """Return the official text of a code."""
        return tables.description(table, code) or clean_text(self.texts.get(table, {}).get(code, ""))


class SnapshotCompany(NamedTuple):
    """The rows of an establishment and of its company; ``cnpj`` is canonical."""

    cnpj: str
    establishment_row: str
    company_row: str
    edition: Edition


def record_text(company: SnapshotCompany) -> str:
    """Return the record as JSON, as ``company.Record`` writes it. Raise as :func:`record_of`."""
    return json.dumps(record_of(company), ensure_ascii=False, separators=(",", ":"))


def record_of(company: SnapshotCompany) -> values.Json:
    """Return the record as data; a field that cannot be read is ``None``.

    Raise ``ValueError`` for rows with another number of fields, or without what makes a record.
    """
    edition = company.edition
    e = clean_fields(ESTABLISHMENT_FIELDS, row_values(ESTABLISHMENT_FIELDS, company.establishment_row))
    c = clean_fields(COMPANY_FIELDS, row_values(COMPANY_FIELDS, company.company_row))
    values.required(e["status"] or e["city"] or e["postal_code"])
    capital = values.capital(c)
    phones = (values.phone(e[f"area_{n}"], e[f"phone_{n}"]) for n in "12")
    return {
        "cnpj": company.cnpj,
        "matriz": _HEAD_OFFICE.get(e["kind"]),
        "razao_social": values.required(c["name"]),
        "nome_fantasia": e["trade_name"] or None,
        "situacao_cadastral": values.status(edition, e),
        "natureza_juridica": values.coded(edition, "naturezas_juridicas", c["nature"]),
        "qualificacao_do_responsavel": values.coded(edition, "qualificacoes_socio", c["responsible"]),
        "porte": values.coded(edition, "portes", c["size"]),
        "capital_social": capital,
        "capital_social_precisao": "exata" if capital else None,
        "data_inicio_atividade": values.day(e["opened"]),
        "cnae_principal": values.main_activity(edition, e),
        "cnaes_secundarios": values.other_activities(edition, e),
        "endereco": values.address(edition, e),
        "telefones": [*{(*phone.values(),): phone for phone in phones if phone}.values()],
        "fax": values.phone(e["fax_area"], e["fax"]),
        "email": e["email"] or None,
        "simples": values.option(c, "simples"),
        "mei": values.option(c, "mei"),
        "socios": [
            values.partner(edition, partner_fields(text))
            for text in c["partners"].split(ITEM_SEPARATOR)
            if text
        ],
        "situacao_especial": e["special_status"] or None,
        "data_situacao_especial": values.day(e["special_date"]),
        "ente_federativo": c["jurisdiction"] or None,
        "inscricoes_estaduais": None,
        "fonte": "receita",
        "data_base": edition.day.isoformat(),
    }


def row_values(names: tuple[str, ...], row: str) -> list[str]:
    """Return the fields of a row in the order of their names. Raise ``ValueError`` for another number."""
    found = row.split(FIELD_SEPARATOR)
    if len(found) != len(names):
        raise ValueError("a row with another number of fields")
    return found


def clean_fields(names: Sequence[str], found: Sequence[str]) -> dict[str, str]:
    """Return fields by name, free texts cleaned: the release that built the row may have had other rules.

    In ASCII each has left only CPFs in unusual forms.
    """
    fields = dict(zip(names, found, strict=True))
    for name, text in fields.items():
        if text and name in _TEXTS:
            plain = text.isascii() and text.isprintable()
            fields[name] = hide_cpfs(text) if plain else clean_text(text) or ""
    return fields


def partner_fields(text: str) -> dict[str, str]:
    """Return a partner's fields by name, cleaned. Raise ``ValueError`` for another number of fields."""
    found = text.split(PART_SEPARATOR)
    if len(found) != len(PARTNER_FIELDS):
        raise ValueError("a partner with another number of fields")
    return clean_fields(PARTNER_FIELDS, found)
