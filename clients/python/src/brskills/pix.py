"""Requests and answers about Pix codes, with the names of the API; amounts are in reais."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TypedDict


class Charge(TypedDict, total=False):
    """The fields of a code: a name, a city, and one of ``chave``, ``url``, ``url_recorrencia``."""

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


class DrawnCharge(Charge, total=False):
    """A charge whose answer holds a picture: ``qr`` is ``png`` or ``svg``, ``qr_tamanho`` pixels a module."""

    qr: str | None
    qr_tamanho: int | None
    qr_margem: int | None


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A change to a text so that it fits; ``motivo`` as ``transliterado`` or ``truncado``."""

    campo: str
    de: str
    para: str
    motivo: str


@dataclass(frozen=True, slots=True)
class Alert:
    """A valid value that is probably a mistake; ``codigo`` as ``telefone_fixo`` or ``uso_unico_ausente``."""

    campo: str
    codigo: str
    detalhe: str


@dataclass(frozen=True, slots=True)
class PixCode:
    """A code and its fields; ``valor`` is ``None`` if the payer enters it. ``qr``: the picture in base64."""

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
    qr: str | None = None
    qr_tamanho: int | None = None
    qr_margem: int | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """An object of a code that Pix does not define; ``id`` as ``62-07``."""

    id: str
    valor: str


@dataclass(frozen=True, slots=True)
class DecodedFields:
    """The fields found, else ``None``. ``valor`` is text because it may not be an amount."""

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
    """A rule that a code breaks, its field, and the norm that defines it."""

    regra: str
    campo: str | None
    detalhe: str
    referencia: str


@dataclass(frozen=True, slots=True)
class Psp:
    """A Pix participant."""

    ispb: str
    nome: str
    participante: bool


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The code that a damaged text was; its CRC matches. ``motivos``: what was undone."""

    brcode: str
    motivos: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DecodedCode:
    """A decoded code. ``erros`` break a norm; ``alertas`` are valid, but some banks reject them.

    ``psp``: the participant with the code's ``ispb_saque``. ``sugestao``: the code that a damaged text was,
    whose kind and fields these are. Older services send neither.
    """

    valido: bool
    tipo: str | None
    campos: DecodedFields
    erros: tuple[Finding, ...]
    alertas: tuple[Finding, ...]
    psp: Psp | None = None
    sugestao: Suggestion | None = None
