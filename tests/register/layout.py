"""The 37 files of a month: their names, their members', and the rows in them.

The published files quote every field and escape nothing. One reason is in the month's tables alone, as a new
code would be, and some codes are in the project's tables alone.

>>> members(date(2026, 9, 12))["Socios7.zip"]
'K3241.K03200Y7.D60912.SOCIOCSV'
"""

from collections.abc import Sequence
from datetime import date
from functools import cache

from tests.register.model import Company, Option
from tests.register.words import codes

COMPANIES = "Empresas"
ESTABLISHMENTS = "Estabelecimentos"
PARTNERS = "Socios"
OPTIONS = "Simples"
KINDS = (COMPANIES, ESTABLISHMENTS, PARTNERS, OPTIONS)
_NO_OPTION = Option("", "", "")

ENCODING = "iso-8859-1"
_ENDS = {COMPANIES: "EMPRECSV", ESTABLISHMENTS: "ESTABELE", PARTNERS: "SOCIOCSV"}

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


def zips_of(kind: str) -> list[str]:
    """Return the files that the rows of a kind are spread over."""
    return [f"{kind}.zip"] if kind == OPTIONS else [f"{kind}{n}.zip" for n in range(10)]


def members(day: date) -> dict[str, str]:
    """Return the member of each zip in the month whose data are of ``day``."""
    code = f"D{day.year % 10}{day:%m%d}"
    parts = {
        f"{kind}{n}.zip": f"K3241.K03200Y{n}.{code}.{end}" for kind, end in _ENDS.items() for n in range(10)
    }
    tables = {f"{name}.zip": f"F.K03200$Z.{code}.{end}" for name, (_, end) in TABLES.items()}
    return parts | {f"{OPTIONS}.zip": f"F.K03200$W.SIMPLES.CSV.{code}"} | tables


def fields_of(company: Company, kind: str) -> list[tuple[str, ...]]:
    """Return the company's rows in the files of a kind, as fields."""
    root = company.root
    if kind == COMPANIES:
        return [tuple(company[:7])]
    if kind == ESTABLISHMENTS:
        return [(root, *branch) for branch in company.branches]
    if kind == PARTNERS:
        return [(root, *partner) for partner in company.partners]
    if company.simples is None and company.mei is None:
        return []
    return [(root, *(company.simples or _NO_OPTION), *(company.mei or _NO_OPTION))]


def line(fields: Sequence[str]) -> str:
    """Return a row as it is written, without the end of its line."""
    return '"' + '";"'.join(fields) + '"'


def published(name: str) -> list[tuple[str, str]]:
    """Return the rows of one of the month's tables."""
    rows = codes(TABLES[name][0])
    if name == "Motivos":
        rows |= dict([NEW_REASON])
    lacking = {"Paises": MISSING_COUNTRIES, "Motivos": (MISSING_REASON,)}.get(name, ())
    return [(code, text) for code, text in rows.items() if code not in lacking]


@cache
def _texts(table: str) -> dict[str, str]:
    return codes(table) | (dict([NEW_REASON]) if table == "motivos" else {})


def description(table: str, code: str) -> str | None:
    """Return the text of a code: the official one, else the month's."""
    return _texts(table).get(code)
