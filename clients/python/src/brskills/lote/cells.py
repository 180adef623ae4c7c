"""A company's record as the cells of a row, written so that a spreadsheet loses no zero."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal

from brskills.company import Activity, Address, Coded, Company, TaxOption
from taxid import cnpj

__all__ = ["COLUMNS", "cells_of", "masked"]

COLUMNS = (
    "razao_social",
    "nome_fantasia",
    "situacao_cadastral",
    "data_situacao_cadastral",
    "matriz",
    "natureza_juridica",
    "porte",
    "capital_social",
    "data_inicio_atividade",
    "cnae_principal",
    "cnae_principal_descricao",
    "cnaes_secundarios",
    "endereco",
    "bairro",
    "cep",
    "municipio",
    "uf",
    "telefones",
    "email",
    "simples",
    "mei",
    "socios",
    "fonte",
    "data_base",
    "consultado_em",
    "desatualizado",
)


def masked(number: str) -> str:
    """A CNPJ with its mask: as bare digits it would become a number again when the file is opened."""
    return cnpj.format(number)


def cells_of(company: Company, separator: str) -> dict[str, str]:
    """A record's cells by their columns. Amounts have the decimal mark that goes with the separator."""
    status, address, main = company.situacao_cadastral, company.endereco, company.cnae_principal
    mark = "." if separator == "," else ","
    return {
        "razao_social": company.razao_social,
        "nome_fantasia": _text(company.nome_fantasia),
        "situacao_cadastral": _text(status.descricao),
        "data_situacao_cadastral": _text(status.data),
        "matriz": _text(company.matriz),
        "natureza_juridica": _told(company.natureza_juridica),
        "porte": _told(company.porte),
        "capital_social": _text(company.capital_social).replace(".", mark),
        "data_inicio_atividade": _text(company.data_inicio_atividade),
        "cnae_principal": _cnae(main.codigo) if main else "",
        "cnae_principal_descricao": _told(main),
        "cnaes_secundarios": _list(_cnae(activity.codigo) for activity in company.cnaes_secundarios),
        "endereco": _street(address),
        "bairro": _text(address.bairro),
        "cep": f"{address.cep[:5]}-{address.cep[5:]}" if address.cep else "",
        "municipio": _text(address.municipio),
        "uf": _text(address.uf),
        "telefones": _list(f"({phone.ddd or ''}) {phone.numero}" for phone in company.telefones),
        "email": _text(company.email),
        "simples": _chosen(company.simples),
        "mei": _chosen(company.mei),
        "socios": _list(partner.nome for partner in company.socios),
        "fonte": company.fonte,
        "data_base": _text(company.data_base),
        "consultado_em": _text(company.consultado_em),
        "desatualizado": _text(company.desatualizado),
    }


def _text(value: str | bool | date | datetime | Decimal | None) -> str:
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return "" if value is None else str(value)


def _told(coded: Coded | Activity | None) -> str:
    return coded.descricao or "" if coded else ""


def _cnae(code: str) -> str:
    return f"{code[:4]}-{code[4]}/{code[5:]}"


def _chosen(option: TaxOption | None) -> str:
    return _text(option.optante) if option else ""


def _list(parts: Iterable[str]) -> str:
    return " | ".join(parts)


def _street(address: Address) -> str:
    street = " ".join(part for part in (address.tipo_logradouro, address.logradouro) if part)
    return ", ".join(part for part in (street, address.numero, address.complemento) if part)
