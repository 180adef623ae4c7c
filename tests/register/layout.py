"""The 37 files of a month: their names, and those of the one member that each has.

>>> members(date(2026, 9, 12))["Socios7.zip"]
'K3241.K03200Y7.D60912.SOCIOCSV'
"""

from datetime import date

from tests.register.rows import COMPANIES, ESTABLISHMENTS, OPTIONS, PARTNERS
from tests.register.tables import TABLES

ENCODING = "iso-8859-1"
_ENDS = {COMPANIES: "EMPRECSV", ESTABLISHMENTS: "ESTABELE", PARTNERS: "SOCIOCSV"}


def zips_of(kind: str) -> list[str]:
    """The files that the rows of a kind are spread over."""
    return [f"{kind}.zip"] if kind == OPTIONS else [f"{kind}{n}.zip" for n in range(10)]


def members(day: date) -> dict[str, str]:
    """The member of each zip in the month whose data are of ``day``."""
    code = f"D{day.year % 10}{day:%m%d}"
    parts = {
        f"{kind}{n}.zip": f"K3241.K03200Y{n}.{code}.{end}" for kind, end in _ENDS.items() for n in range(10)
    }
    tables = {f"{name}.zip": f"F.K03200$Z.{code}.{end}" for name, (_, end) in TABLES.items()}
    return parts | {f"{OPTIONS}.zip": f"F.K03200$W.SIMPLES.CSV.{code}"} | tables
