"""The rows of the register's snapshot, and the record of a company in them.

Each company (name, capital, partners) and each establishment has one: fields in a fixed order and canonical
form (texts cleaned, codes padded, days as ``20051103``, absent values empty).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import date
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple

from brskills_server.registry import tables
from brskills_server.registry.free_text import clean_text
from brskills_server.registry.privacy import hide_cpfs

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
_ADDED = {ESTABLISHMENT_FIELDS: 4, COMPANY_FIELDS: 3}
"""How many of the last fields rows of format 1 lack."""
PARTNER_FIELDS = (
    "kind", "name", "document", "role", "since", "country", "agent_document", "agent_name", "agent_role",
    "age_band",
)  # fmt: skip

_PARTNER_KINDS = {"1": "PJ", "2": "PF", "3": "ESTRANGEIRO"}
_HEAD_OFFICE = {"1": True, "2": False}
_YES = {"S": True, "N": False}

_TEXTS = frozenset((
    "trade_name", "street_type", "street", "number", "complement", "district", "state", "email",
    "special_status", "city_abroad", "name", "jurisdiction", "agent_name",
))  # fmt: skip

_AMOUNT = re.compile(r"[0-9]+\.[0-9]{2}").fullmatch
_CNAE = re.compile("[0-9]{7}").fullmatch

Json = dict[str, Any]


class Edition(NamedTuple):
    """One month's data: its day, and by table the texts of codes that only its files have.

    ``id``: of the build that made it, and of no other; empty where an earlier release did.
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
    """Return the record as JSON, as ``company.Record`` writes it. Raise ``ValueError`` for malformed rows."""
    edition = company.edition
    e = _clean_fields(ESTABLISHMENT_FIELDS, row_values(ESTABLISHMENT_FIELDS, company.establishment_row))
    c = _clean_fields(COMPANY_FIELDS, row_values(COMPANY_FIELDS, company.company_row))
    record = {
        "cnpj": company.cnpj,
        "matriz": _HEAD_OFFICE.get(e["kind"]),
        "razao_social": _required(c["name"]),
        "nome_fantasia": e["trade_name"] or None,
        "situacao_cadastral": {
            "codigo": e["status"] or None,
            "descricao": edition.text("situacoes", e["status"]),
            "data": _day(e["status_date"]),
            "motivo": _coded(edition, "motivos", e["status_reason"]),
        },
        "natureza_juridica": _coded(edition, "naturezas_juridicas", c["nature"]),
        "qualificacao_do_responsavel": _coded(edition, "qualificacoes_socio", c["responsible"]),
        "porte": _coded(edition, "portes", c["size"]),
        "capital_social": _formed(c["capital"], _AMOUNT),
        "capital_social_precisao": "exata" if c["capital"] else None,
        "data_inicio_atividade": _day(e["opened"]),
        "cnae_principal": _coded(edition, "cnaes", _formed(e["activity"], _CNAE)),
        "cnaes_secundarios": [
            _coded(edition, "cnaes", _formed(code, _CNAE))
            for code in e["other_activities"].split(",")
            if code
        ],
        "endereco": {
            "tipo_logradouro": e["street_type"] or None,
            "logradouro": e["street"] or None,
            "numero": e["number"] or None,
            "complemento": e["complement"] or None,
            "bairro": e["district"] or None,
            "cep": e["postal_code"] or None,
            "municipio": edition.text("municipios_siafi", e["city"]),
            "codigo_ibge": tables.ibge_code(e["city"], e["state"]),
            "codigo_siafi": e["city"] or None,
            "uf": e["state"] or None,
            "pais": edition.text("paises", e["country"]),
            "cidade_exterior": e["city_abroad"] or None,
        },
        "telefones": [phone for n in "12" if (phone := _phone(e[f"area_{n}"], e[f"phone_{n}"]))],
        "fax": _phone(e["fax_area"], e["fax"]),
        "email": e["email"] or None,
        "simples": _option(c, "simples"),
        "mei": _option(c, "mei"),
        "socios": [_partner(edition, text) for text in c["partners"].split(ITEM_SEPARATOR) if text],
        "situacao_especial": e["special_status"] or None,
        "data_situacao_especial": _day(e["special_date"]),
        "ente_federativo": c["jurisdiction"] or None,
        "inscricoes_estaduais": None,
        "fonte": "receita",
        "data_base": edition.day.isoformat(),
    }
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def row_values(names: tuple[str, ...], row: str) -> list[str]:
    """Return the fields of a row in the order of their names; a row of format 1 lacks the last ones.

    Raise ``ValueError`` for another number of fields.
    """
    values = row.split(FIELD_SEPARATOR)
    if len(values) not in {len(names), len(names) - _ADDED[names]}:
        raise ValueError("a row with another number of fields")
    return values


def _clean_fields(names: tuple[str, ...], values: list[str]) -> dict[str, str]:
    """Return fields by name, with an empty text for those that are missing, and free texts cleaned.

    An earlier release may have built the row. In ASCII it left only CPFs in unusual forms.
    """
    fields = dict(zip_longest(names, values, fillvalue=""))
    for name, text in fields.items():
        if text and name in _TEXTS:
            plain = text.isascii() and text.isprintable()
            fields[name] = hide_cpfs(text) if plain else clean_text(text) or ""
    return fields


def _required(text: str) -> str:
    if not text:
        raise ValueError("an empty field that every record has")
    return text


def _formed(text: str, is_formed: Callable[[str], object]) -> str | None:
    if text and not is_formed(text):
        raise ValueError("a field of another form")
    return text or None


def _day(digits: str) -> str | None:
    return date.fromisoformat(digits).isoformat() if digits else None


def _coded(edition: Edition, table: str, code: str | None) -> Json | None:
    return {"codigo": code, "descricao": edition.text(table, code)} if code else None


def _option(company: Mapping[str, str], name: str) -> Json | None:
    chosen = _YES.get(company[name])
    if chosen is None:
        return None
    return {
        "optante": chosen,
        "data_opcao": _day(company[f"{name}_since"]),
        "data_exclusao": _day(company[f"{name}_until"]),
        "data_sem_efeito": _day(company[f"{name}_void"]),
    }


def _phone(area: str, number: str) -> Json | None:
    return {"ddd": area or None, "numero": number} if number else None


def _partner(edition: Edition, text: str) -> Json:
    values = text.split(PART_SEPARATOR)
    if len(values) != len(PARTNER_FIELDS):
        raise ValueError("a partner with another number of fields")
    p = _clean_fields(PARTNER_FIELDS, values)
    return {
        "nome": p["name"],
        "tipo": _PARTNER_KINDS.get(p["kind"]),
        "documento": p["document"] or None,
        "qualificacao": _coded(edition, "qualificacoes_socio", p["role"]),
        "data_entrada": _day(p["since"]),
        "faixa_etaria": edition.text("faixas_etarias", p["age_band"]),
        "pais": edition.text("paises", p["country"]),
        "representante_legal": _agent(edition, p),
    }


def _agent(edition: Edition, partner: Mapping[str, str]) -> Json | None:
    if not partner["agent_name"] and not partner["agent_document"]:
        return None
    return {
        "nome": partner["agent_name"] or None,
        "documento": partner["agent_document"] or None,
        "qualificacao": _coded(edition, "qualificacoes_socio", partner["agent_role"]),
    }
