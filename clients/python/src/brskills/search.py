"""The fields of a search, and a page of its answers, with the names of the API."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypedDict

from brskills.company import Activity, RegistrationStatus

Text = str | Sequence[str]
Code = str | int | Sequence[str | int]
"""One value or several, of which any fits."""


class SearchFields(TypedDict, total=False):
    """The fields of a search.

    One of ``nome``, ``raiz``, ``cnae``, ``cnae_principal``, ``municipio``, ``cep`` or ``socio_cnpj`` is
    needed.
    """

    nome: Text | None
    raiz: Code | None
    cnae: Code | None
    cnae_principal: Code | None
    uf: Text | None
    municipio: Code | None
    cep: Text | None
    natureza_juridica: Code | None
    porte: Code | None
    situacao: Code | None
    socio_cnpj: Code | None
    aberta_de: date | str | None
    aberta_ate: date | str | None
    matriz: bool | None
    mei: bool | None
    simples: bool | None
    limite: int | None
    cursor: str | None


@dataclass(frozen=True, slots=True)
class CompanyRow:
    """A company that was found: a part of its record."""

    cnpj: str
    matriz: bool | None
    razao_social: str
    nome_fantasia: str | None
    situacao_cadastral: RegistrationStatus
    uf: str | None
    municipio: str | None
    cnae_principal: Activity | None
    data_inicio_atividade: date | None


@dataclass(frozen=True, slots=True)
class SearchPage:
    """``total``: of all pages; where ``total_exato`` is false, there are more. ``cursor``: of the next page.

    ``sugestoes``: similar words that exist, where the name finds nothing. ``data_base``: the register's day.
    """

    empresas: tuple[CompanyRow, ...]
    total: int
    total_exato: bool
    cursor: str | None
    data_base: date
    sugestoes: tuple[str, ...]
