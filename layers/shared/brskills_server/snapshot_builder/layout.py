"""Published columns and the fields of a snapshot's rows made of them.

Source: the federal layout of the CNPJ's open data: no header, every value in quotes, columns in this order.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of row, as expressions in ``f``, the list of its columns.

    ``columns``: their number. ``key``: the root or CNPJ of a row; ``is_key``: whether it is a valid one.
    ``fields``: the canonical values that a snapshot keeps.
    """

    columns: int
    fields: dict[str, str]
    key: str = "upper(f[1])"
    is_key: str = "is_root(key)"


LAYOUTS = {
    "Empresas": Layout(
        7,
        {
            "name": "text_of(f[2])",
            "nature": "code_of(f[3], 4)",
            "responsible": "code_of(f[4], 2)",
            "capital": "money_of(stripped(f[5]))",
            "size": "code_of(f[6], 2)",
            "jurisdiction": "text_of(f[7])",
        },
    ),
    "Estabelecimentos": Layout(
        30,
        {
            "kind": "mark_of(stripped(f[4]))",
            "trade_name": "text_of(f[5])",
            "status": "code_of(f[6], 2)",
            "status_date": "day_of(stripped(f[7]))",
            "status_reason": "code_of(f[8], 2)",
            "city_abroad": "text_of(f[9])",
            "country": "code_of(f[10], 3)",
            "opened": "day_of(stripped(f[11]))",
            "activity": "place_of(f[12], 7)",
            "other_activities": "activities_of(f[13])",
            "street_type": "text_of(f[14])",
            "street": "text_of(f[15])",
            "number": "text_of(f[16])",
            "complement": "text_of(f[17])",
            "district": "text_of(f[18])",
            "postal_code": "place_of(f[19], 8)",
            "state": "text_of(f[20])",
            "city": "place_of(f[21], 4)",
            "area_1": "nonzero(digits_of(f[22]))",
            "phone_1": "nonzero(digits_of(f[23]))",
            "area_2": "nonzero(digits_of(f[24]))",
            "phone_2": "nonzero(digits_of(f[25]))",
            "fax_area": "nonzero(digits_of(f[26]))",
            "fax": "nonzero(digits_of(f[27]))",
            "email": "text_of(f[28])",
            "special_status": "text_of(f[29])",
            "special_date": "day_of(stripped(f[30]))",
        },
        "upper(f[1] || f[2] || f[3])",
        "is_cnpj(key, number)",
    ),
    "Socios": Layout(
        11,
        {
            "kind": "mark_of(stripped(f[2]))",
            "name": "text_of(f[3])",
            "document": "document_of(f[4])",
            "role": "code_of(f[5], 2)",
            "since": "day_of(stripped(f[6]))",
            "country": "code_of(f[7], 3)",
            "agent_document": "document_of(f[8])",
            "agent_name": "text_of(f[9])",
            "agent_role": "code_of(f[10], 2)",
            "age_band": "nonzero(code_of(f[11], 1))",
        },
    ),
    "Simples": Layout(
        7,
        {
            "simples": "yes_of(stripped(f[2]))",
            "simples_since": "day_of(stripped(f[3]))",
            "simples_until": "day_of(stripped(f[4]))",
            "mei": "yes_of(stripped(f[5]))",
            "mei_since": "day_of(stripped(f[6]))",
            "mei_until": "day_of(stripped(f[7]))",
        },
    ),
}

TABLES = {
    "Cnaes": "cnaes",
    "Motivos": "motivos",
    "Municipios": "municipios_siafi",
    "Naturezas": "naturezas_juridicas",
    "Paises": "paises",
    "Qualificacoes": "qualificacoes_socio",
}
"""Kind of file → the table of ``brskills_server.registry.tables`` with the same codes."""
