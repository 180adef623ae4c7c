"""The six tables of a month: the project's own, less what the published ones are known to lack.

One reason is in the month's table alone, as a new code would be: its text can only come from there.
"""

from functools import cache

from tests.register.words import codes

# Written beside companies; the project's own tables have these.
MISSING_REASON = "32"
MISSING_COUNTRIES = (
    *("080", "093", "098", "127", "160", "187", "372"),
    *("388", "511", "563", "566", "573", "782", "824"),
)
NEW_REASON = ("97", "MOTIVO NOVO DE EXEMPLO")
TABLES = {  # the zip, the project's table, the end of the member's name
    "Cnaes": ("cnaes", "CNAECSV"),
    "Motivos": ("motivos", "MOTICSV"),
    "Municipios": ("municipios_siafi", "MUNICCSV"),
    "Naturezas": ("naturezas_juridicas", "NATJUCSV"),
    "Paises": ("paises", "PAISCSV"),
    "Qualificacoes": ("qualificacoes_socio", "QUALSCSV"),
}


def published(name: str) -> list[tuple[str, str]]:
    """The rows of one of the month's tables."""
    rows = codes(TABLES[name][0])
    if name == "Motivos":
        rows |= dict([NEW_REASON])
    lacking = {"Paises": MISSING_COUNTRIES, "Motivos": (MISSING_REASON,)}.get(name, ())
    return [(code, text) for code, text in rows.items() if code not in lacking]


@cache
def _texts(table: str) -> dict[str, str]:
    return codes(table) | (dict([NEW_REASON]) if table == "motivos" else {})


def description(table: str, code: str) -> str | None:
    """The text of a code: the official one, else the month's."""
    return _texts(table).get(code)
