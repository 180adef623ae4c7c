"""Published columns, the fields made of them, and the columns of the rows that are kept for joining.

Source: the federal layout of the CNPJ's open data: no header, every value in quotes, columns in this order.
"""

from dataclasses import dataclass

from brskills_server.registry.snapshot.rows import ESTABLISHMENT_FIELDS
from brskills_server.snapshot_builder.field_forms import (
    ACTIVITIES,
    AGE_BAND,
    DAY,
    DOCUMENT,
    MARK,
    MONEY,
    PHONE,
    TEXT,
    YES,
    Form,
    code,
    place,
)

FIELD_SEPARATOR = "chr(29)"
_ROOT = "[0-9A-Z]{8}"


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of row.

    ``fields``: the canonical values, in the order of the columns behind those of the key. ``key``: patterns
    of the usual columns that make the key, a root or a CNPJ; ``is_key``: whether a key is valid, in SQL.
    ``body``: SQL of the fields as one column, where they are kept as that.
    """

    fields: dict[str, Form]
    key: tuple[str, ...] = (_ROOT,)
    is_key: str = "is_root(key)"
    body: str = ""

    @property
    def columns(self) -> int:
        """Return the number of published columns."""
        return len(self.key) + len(self.fields)

    @property
    def usual(self) -> str:
        """Return the pattern of lines of usual values (RE2)."""
        return '"' + '";"'.join((*self.key, *(form.usual for form in self.fields.values()))) + '"'

    @property
    def kept(self) -> dict[str, str]:
        """Return the columns that are kept beside the key, with their SQL."""
        return {"body": self.body} if self.body else {name: name for name in self.fields}


_SAME_PHONE = "area_2 = area_1 AND phone_2 = phone_1"
_ESTABLISHMENT = {
    "area_1": "CASE WHEN phone_1 = '' THEN '' ELSE area_1 END",
    "area_2": f"CASE WHEN phone_2 = '' OR {_SAME_PHONE} THEN '' ELSE area_2 END",
    "phone_2": f"CASE WHEN {_SAME_PHONE} THEN '' ELSE phone_2 END",
    "fax_area": "CASE WHEN fax = '' THEN '' ELSE fax_area END",
}
_BODY = ", ".join(_ESTABLISHMENT.get(name, name) for name in ESTABLISHMENT_FIELDS)

LAYOUTS = {
    "Empresas": Layout(
        {
            "name": TEXT,
            "nature": code(4),
            "responsible": code(2),
            "capital": MONEY,
            "size": code(2),
            "jurisdiction": TEXT,
        },
    ),
    "Estabelecimentos": Layout(
        {
            "kind": MARK,
            "trade_name": TEXT,
            "status": code(2),
            "status_date": DAY,
            "status_reason": code(2),
            "city_abroad": TEXT,
            "country": code(3),
            "opened": DAY,
            "activity": place(7),
            "other_activities": ACTIVITIES,
            "street_type": TEXT,
            "street": TEXT,
            "number": TEXT,
            "complement": TEXT,
            "district": TEXT,
            "postal_code": place(8),
            "state": TEXT,
            "city": place(4),
            "area_1": PHONE,
            "phone_1": PHONE,
            "area_2": PHONE,
            "phone_2": PHONE,
            "fax_area": PHONE,
            "fax": PHONE,
            "email": TEXT,
            "special_status": TEXT,
            "special_date": DAY,
        },
        (_ROOT, "[0-9A-Z]{4}", "[0-9]{2}"),
        "is_cnpj(key, number)",
        f"concat_ws({FIELD_SEPARATOR}, {_BODY})",
    ),
    "Socios": Layout(
        {
            "kind": MARK,
            "name": TEXT,
            "document": DOCUMENT,
            "role": code(2),
            "since": DAY,
            "country": code(3),
            "agent_document": DOCUMENT,
            "agent_name": TEXT,
            "agent_role": code(2),
            "age_band": AGE_BAND,
        },
    ),
    "Simples": Layout(
        {
            "simples": YES,
            "simples_since": DAY,
            "simples_until": DAY,
            "mei": YES,
            "mei_since": DAY,
            "mei_until": DAY,
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
