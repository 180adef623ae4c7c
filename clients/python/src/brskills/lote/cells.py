"""A company's record as the cells of a row, written so that a spreadsheet loses no zero."""

from collections.abc import Callable, Iterable
from datetime import date, datetime
from decimal import Decimal

from brskills.command.language import Texts
from brskills.company import Activity, Address, Coded, Company, TaxOption
from brskills.search import CompanyRow
from taxid import cnpj

_CELLS: dict[str, Callable[[Company], str | bool | None]] = {
    "razao_social": lambda company: company.razao_social,
    "nome_fantasia": lambda company: _text(company.nome_fantasia),
    "situacao_cadastral": lambda company: _text(company.situacao_cadastral.descricao),
    "data_situacao_cadastral": lambda company: _text(company.situacao_cadastral.data),
    "matriz": lambda company: company.matriz,
    "natureza_juridica": lambda company: _description(company.natureza_juridica),
    "porte": lambda company: _description(company.porte),
    "capital_social": lambda company: _text(company.capital_social),
    "data_inicio_atividade": lambda company: _text(company.data_inicio_atividade),
    "cnae_principal": lambda company: _cnae(company.cnae_principal),
    "cnae_principal_descricao": lambda company: _description(company.cnae_principal),
    "cnaes_secundarios": lambda company: _list(map(_cnae, company.cnaes_secundarios)),
    "endereco": lambda company: _street(company.endereco),
    "bairro": lambda company: _text(company.endereco.bairro),
    "cep": lambda company: _cep(company.endereco.cep),
    "municipio": lambda company: _text(company.endereco.municipio),
    "uf": lambda company: _text(company.endereco.uf),
    "telefones": lambda company: _list(f"({each.ddd or ''}) {each.numero}" for each in company.telefones),
    "email": lambda company: _text(company.email),
    "simples": lambda company: _option(company.simples),
    "mei": lambda company: _option(company.mei),
    "socios": lambda company: _list(partner.nome for partner in company.socios),
    "fonte": lambda company: company.fonte,
    "data_base": lambda company: _text(company.data_base),
    "consultado_em": lambda company: _text(company.consultado_em),
    "desatualizado": lambda company: company.desatualizado,
}
COLUMNS = tuple(_CELLS)
_ROW_CELLS: dict[str, Callable[[CompanyRow], str | bool | None]] = {
    "cnpj": lambda row: masked(row.cnpj),
    "razao_social": lambda row: row.razao_social,
    "nome_fantasia": lambda row: _text(row.nome_fantasia),
    "situacao_cadastral": lambda row: _text(row.situacao_cadastral.descricao),
    "data_situacao_cadastral": lambda row: _text(row.situacao_cadastral.data),
    "matriz": lambda row: row.matriz,
    "data_inicio_atividade": lambda row: _text(row.data_inicio_atividade),
    "cnae_principal": lambda row: _cnae(row.cnae_principal),
    "cnae_principal_descricao": lambda row: _description(row.cnae_principal),
    "municipio": lambda row: _text(row.municipio),
    "uf": lambda row: _text(row.uf),
}
ROW_COLUMNS = tuple(_ROW_CELLS)


def masked(number: str) -> str:
    """Return a CNPJ with its mask, as spreadsheets read bare digits as a number. Test numbers have none."""
    return number if number.startswith("SANDBOX") else cnpj.format(number)


def cells_of(company: Company, separator: str, text: Texts) -> dict[str, str]:
    """Return a record's cells by column. The decimal mark follows from the separator."""
    cells = {name: _written(cell(company), text) for name, cell in _CELLS.items()}
    if separator != ",":
        cells["capital_social"] = cells["capital_social"].replace(".", ",")
    return cells


def cells_of_row(row: CompanyRow, text: Texts) -> list[str]:
    """Return the cells of a company that a search found, in the order of ``ROW_COLUMNS``."""
    return [_written(cell(row), text) for cell in _ROW_CELLS.values()]


def _written(value: str | bool | None, text: Texts) -> str:
    return text("yes" if value else "no") if isinstance(value, bool) else value or ""


def _text(value: str | date | datetime | Decimal | None) -> str:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return "" if value is None else str(value)


def _description(coded: Coded | Activity | None) -> str:
    return coded.descricao or "" if coded else ""


def _cnae(activity: Activity | None) -> str:
    code = activity.codigo if activity else ""
    return f"{code[:4]}-{code[4]}/{code[5:]}" if code else ""


def _cep(digits: str | None) -> str:
    return f"{digits[:5]}-{digits[5:]}" if digits else ""


def _option(option: TaxOption | None) -> bool | None:
    return option.optante if option else None


def _list(parts: Iterable[str]) -> str:
    return " | ".join(parts)


def _street(address: Address) -> str:
    street = " ".join(part for part in (address.tipo_logradouro, address.logradouro) if part)
    return ", ".join(part for part in (street, address.numero, address.complemento) if part)
