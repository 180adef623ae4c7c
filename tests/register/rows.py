"""A company as rows of the four kinds of files that hold companies.

The published files quote every field and escape nothing: a quote or a backslash is written as it is.
"""

from collections.abc import Sequence

from tests.register.model import Company, Option

COMPANIES = "Empresas"
ESTABLISHMENTS = "Estabelecimentos"
PARTNERS = "Socios"
OPTIONS = "Simples"
KINDS = (COMPANIES, ESTABLISHMENTS, PARTNERS, OPTIONS)
_UNTOLD = Option("", "", "")


def fields_of(company: Company, kind: str) -> list[tuple[str, ...]]:
    """The company's rows in the files of a kind, as fields."""
    root = company.root
    if kind == COMPANIES:
        return [tuple(company[:7])]
    if kind == ESTABLISHMENTS:
        return [(root, *branch) for branch in company.branches]
    if kind == PARTNERS:
        return [(root, *partner) for partner in company.partners]
    if company.simples is None and company.mei is None:
        return []
    return [(root, *(company.simples or _UNTOLD), *(company.mei or _UNTOLD))]


def line(fields: Sequence[str]) -> str:
    """A row as it is written, without the end of its line."""
    return '"' + '";"'.join(fields) + '"'
