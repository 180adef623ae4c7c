"""Records from published rows, by Python's CSV parser and the providers' reader, for the cross-check."""

import csv
from collections import Counter
from collections.abc import Iterator

from brskills_server.registry import tables
from brskills_server.registry.providers.provider import FieldMap, Provider
from brskills_server.registry.values import read_place_code, read_text

Row = dict[str, str]
Rows = dict[str, dict[tuple[str, ...], Row]]
"""The distinct rows of a root by kind of file."""

_MAX_ESTABLISHMENTS = 20  # of a root; a few roots have thousands

COLUMNS = {
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
    "qualificacao_do_responsavel": {"codigo": "company.responsible"},
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
        "cidade_exterior": "city_abroad",
    },
    "telefones": {
        "rows": lambda row: [{"area": row[f"area_{n}"], "number": row[f"phone_{n}"]} for n in "12"],
        "ddd": "area",
        "numero": "number",
    },
    "fax": {"ddd": "area_fax", "numero": "fax"},
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
    "data_situacao_especial": "special_date",
    "ente_federativo": "company.jurisdiction",
    "data_base": "day",
}  # fmt: skip
PROVIDER = Provider(id="receita", group="receita", base_url="", path="", timeout=0, fields=_FIELDS)


def parse_line(line: str, names: tuple[str, ...]) -> Row | None:
    """Return a row's values by column, or `None` if a strict CSV parser rejects the line."""
    try:
        values = next(csv.reader([line], delimiter=";", strict=True))
    except csv.Error:
        return None
    return dict(zip(names, values, strict=True)) if len(values) == len(names) else None


def answers(rows: Rows, day: str) -> Iterator[dict[str, object]]:
    """Yield an answer for `PROVIDER` for each establishment; none if the rows contradict one another."""
    companies, simples, partners, establishments = (
        list(rows[kind].values()) for kind in ("Empresas", "Simples", "Socios", "Estabelecimentos")
    )
    companies = [row for row in companies if row["name"].strip()] or companies
    if len(companies) != 1 or len(simples) > 1:
        return
    orders = Counter(row["order"] for row in establishments)
    for row in establishments[:_MAX_ESTABLISHMENTS]:
        if orders[row["order"]] == 1:
            yield {
                **row,
                "company": companies[0],
                "simples": simples[0] if simples else {},
                "partners": partners,
                "day": day,
            }
