"""The values of a record, made of the fields of a snapshot's rows by their names in ``rows``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from brskills_server.registry import tables

if TYPE_CHECKING:  # it imports this module
    from brskills_server.registry.snapshot.rows import Edition

_PARTNER_KINDS = {"1": "PJ", "2": "PF", "3": "ESTRANGEIRO"}
_YES = {"S": True, "N": False}

_AREA_DIGITS = 2
_AMOUNT = re.compile(r"[0-9]+\.[0-9]{2}").fullmatch
_CNAE = re.compile("[0-9]{7}").fullmatch

Json = dict[str, Any]
Fields = Mapping[str, str]


def status(edition: Edition, e: Fields) -> Json:
    """Return ``situacao_cadastral`` of an establishment."""
    return {
        "codigo": e["status"] or None,
        "descricao": edition.text("situacoes", e["status"]),
        "data": day(e["status_date"]),
        "motivo": coded(edition, "motivos", e["status_reason"]),
    }


def address(edition: Edition, e: Fields) -> Json:
    """Return ``endereco`` of an establishment."""
    return {
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
        "pais_codigo": e["country"] or None,
        "cidade_exterior": e["city_abroad"] or None,
    }


def main_activity(edition: Edition, e: Fields) -> Json | None:
    """Return ``cnae_principal`` of an establishment."""
    return coded(edition, "cnaes", _formed(e["activity"], _CNAE))


def other_activities(edition: Edition, e: Fields) -> list[Json | None]:
    """Return ``cnaes_secundarios`` of an establishment."""
    return [coded(edition, "cnaes", code) for code in e["other_activities"].split(",") if _CNAE(code)]


def capital(c: Fields) -> str | None:
    """Return ``capital_social`` of a company."""
    return _formed(c["capital"], _AMOUNT)


def option(c: Fields, name: str) -> Json | None:
    """Return ``simples`` or ``mei`` of a company."""
    chosen = _YES.get(c[name])
    if chosen is None:
        return None
    return {
        "optante": chosen,
        "data_opcao": day(c[f"{name}_since"]),
        "data_exclusao": day(c[f"{name}_until"]),
        "data_sem_efeito": day(c[f"{name}_void"]),
    }


def partner(edition: Edition, p: Fields) -> Json:
    """Return one of ``socios``."""
    return {
        "nome": p["name"],
        "tipo": _PARTNER_KINDS.get(p["kind"]),
        "documento": p["document"] or None,
        "qualificacao": coded(edition, "qualificacoes_socio", p["role"]),
        "data_entrada": day(p["since"]),
        "faixa_etaria": edition.text("faixas_etarias", p["age_band"]),
        "pais": edition.text("paises", p["country"]),
        "pais_codigo": p["country"] or None,
        "representante_legal": _agent(edition, p),
    }


def phone(area: str, number: str) -> Json | None:
    """Return a telephone or fax; some area codes have trunk zeros, as ``0021``."""
    area = area.lstrip("0")
    return {"ddd": area if len(area) == _AREA_DIGITS else None, "numero": number} if number else None


def day(digits: str) -> str | None:
    """Return a day in ISO form; ``None`` for one that is none."""
    try:
        return date.fromisoformat(digits).isoformat() if digits else None
    except ValueError:
        return None


def coded(edition: Edition, table: str, code: str | None) -> Json | None:
    """Return a code with its text."""
    return {"codigo": code, "descricao": edition.text(table, code)} if code else None


def required(text: str) -> str:
    """Return a text. Raise ``ValueError`` for an empty one."""
    if not text:
        raise ValueError("an empty field that every record has")
    return text


def _formed(text: str, is_formed: Callable[[str], object]) -> str | None:
    return text if is_formed(text) else None


def _agent(edition: Edition, p: Fields) -> Json | None:
    if not p["agent_name"] and not p["agent_document"]:
        return None
    return {
        "nome": p["agent_name"] or None,
        "documento": p["agent_document"] or None,
        "qualificacao": coded(edition, "qualificacoes_socio", p["agent_role"]),
    }
