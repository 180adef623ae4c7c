"""What is asked and answered about Pix codes. Names are the API's own; amounts are reais."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TypedDict

__all__ = ["Adjustment", "Alert", "Charge", "DecodedCode", "DecodedFields", "Finding", "PixCode", "Unknown"]


class Charge(TypedDict, total=False):
    """What goes into a code: a name, a city, and one of ``chave``, ``url``, ``url_recorrencia``."""

    chave: str | None
    tipo_chave: str | None
    valor: Decimal | int | str | None
    nome_recebedor: str
    cidade: str
    txid: str | None
    descricao: str | None
    cep: str | None
    mcc: str | None
    url: str | None
    url_recorrencia: str | None
    ispb_saque: str | None
    uso_unico: bool | None
    estrito: bool


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A step by which a text was changed to fit; ``motivo`` as ``transliterado`` or ``truncado``."""

    campo: str
    de: str
    para: str
    motivo: str


@dataclass(frozen=True, slots=True)
class Alert:
    """What is legal and yet probably a slip; ``codigo`` as ``telefone_fixo`` or ``email_sem_ponto``."""

    campo: str
    codigo: str
    detalhe: str


@dataclass(frozen=True, slots=True)
class PixCode:
    """A code and what is in it; ``valor`` is ``None`` where the payer types it."""

    brcode: str
    tipo: str
    chave: str | None
    tipo_chave: str | None
    valor: Decimal | None
    nome_recebedor: str
    cidade: str
    txid: str
    descricao: str | None
    ajustes: tuple[Adjustment, ...]
    alertas: tuple[Alert, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """An object of a code that Pix has no name for; ``id`` as ``62-07``."""

    id: str
    valor: str


@dataclass(frozen=True, slots=True)
class DecodedFields:
    """What was found; ``None`` where there is nothing. ``valor`` is text, for it may be no amount at all."""

    chave: str | None
    tipo_chave: str | None
    valor: str | None
    nome_recebedor: str | None
    cidade: str | None
    txid: str | None
    descricao: str | None
    cep: str | None
    mcc: str | None
    url: str | None
    url_recorrencia: str | None
    ispb_saque: str | None
    uso_unico: bool | None
    desconhecidos: tuple[Unknown, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a code breaks, where, and the norm that it is from."""

    regra: str
    campo: str | None
    detalhe: str
    referencia: str


@dataclass(frozen=True, slots=True)
class DecodedCode:
    """What is in a code. ``erros`` break a norm; ``alertas`` are legal and were seen to be refused."""

    valido: bool
    tipo: str | None
    campos: DecodedFields
    erros: tuple[Finding, ...]
    alertas: tuple[Finding, ...]
