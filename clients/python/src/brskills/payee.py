"""The payee of a code, checked against the register of companies. Names are the API's."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from brskills.company import RegistrationStatus

__all__ = ["Evidence", "Payee", "PayeeAlert", "PayeeCheck"]


@dataclass(frozen=True, slots=True)
class Payee:
    """The company whose CNPJ the key is, as registered."""

    cnpj: str
    razao_social: str
    nome_fantasia: str | None
    situacao_cadastral: RegistrationStatus
    data_inicio_atividade: date | None
    municipio: str | None
    uf: str | None


@dataclass(frozen=True, slots=True)
class PayeeAlert:
    """What deserves a second look before anybody pays; ``codigo`` never changes."""

    codigo: str
    detalhe: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where what is said of the company comes from, and of when it is."""

    fonte: str
    data_base: date | None
    consultado_em: datetime
    idade_segundos: int
    desatualizado: bool


@dataclass(frozen=True, slots=True)
class PayeeCheck:
    """``nome``: ``confere``, ``parecido``, ``diverge`` or ``desconhecido``. It never says whose key it is."""

    chave: str | None
    tipo_chave: str | None
    nome_recebedor: str | None
    recebedor: Payee | None
    nome: str
    alertas: tuple[PayeeAlert, ...]
    evidencia: Evidence | None
