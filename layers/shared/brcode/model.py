"""The values that the package takes and returns.

The values of kinds, key types and reasons are Portuguese and part of the public contract.
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, TypedDict

from brcode.errors import Issue


class Charge(TypedDict, total=False):
    """The parameters of ``encode``. ``None`` is the same as an absent one, except for ``strict``."""

    key: str | None
    key_type: str | None
    amount: str | int | Decimal | None
    merchant_name: str | None
    merchant_city: str | None
    txid: str | None
    description: str | None
    postal_code: str | None
    mcc: str | None
    location: str | None
    recurrence_location: str | None
    withdrawal_ispb: str | None
    single_use: bool | None
    strict: bool


class Kind(StrEnum):
    """The kind of a code, decided by what its templates hold."""

    ESTATICO = "estatico"  # 26-01: the key itself
    DINAMICO = "dinamico"  # 26-25: the address of the charge
    SAQUE = "saque"  # 26-01 and 26-03: cash from a facilitator
    RECORRENCIA = "recorrencia"  # template 80 alone: Pix Automático, jornada 2
    COMPOSTO = "composto"  # template 80 with a charge or a key: jornadas 3 and 4


class KeyType(StrEnum):
    """The five kinds of Pix key (BCB API DICT 2.12.1)."""

    CPF = "cpf"
    CNPJ = "cnpj"
    EMAIL = "email"
    TELEFONE = "telefone"
    ALEATORIA = "aleatoria"


class PixKey(NamedTuple):
    """A key in the form that DICT stores."""

    type: KeyType
    value: str


class Adjustment(NamedTuple):
    """One step that changed a text: its ``after`` is the ``before`` of the next step.

    ``reason`` is one of ``transliterado``, ``removido``, ``espacos``, ``truncado``, ``protocolo``.
    """

    field: str
    before: str
    after: str
    reason: str


class Suggestion(NamedTuple):
    """The code that a damaged text was. ``reasons``: keys of ``brcode.repair.REASONS``, one at least."""

    payload: str
    reasons: tuple[str, ...]


class BrCode(NamedTuple):
    """A finished code and the values in it; ``amount`` is in reais, as ``"49.90"``.

    ``alerts``: what is legal and probably a mistake, such as a landline as a key.
    """

    payload: str
    kind: Kind
    key: str | None
    key_type: KeyType | None
    amount: str | None
    merchant_name: str
    merchant_city: str
    txid: str
    description: str | None
    adjustments: tuple[Adjustment, ...]
    alerts: tuple[Issue, ...]


class Fields(NamedTuple):
    """The values of a code as it holds them; ``None`` where it has no such field.

    ``unknown``: objects that Pix does not use, as pairs of id path and value: ``("27-01", "…")``.
    """

    key: str | None = None
    key_type: KeyType | None = None
    amount: str | None = None
    merchant_name: str | None = None
    merchant_city: str | None = None
    txid: str | None = None
    description: str | None = None
    postal_code: str | None = None
    mcc: str | None = None
    location: str | None = None
    recurrence_location: str | None = None
    withdrawal_ispb: str | None = None
    single_use: bool | None = None
    unknown: tuple[tuple[str, str], ...] = ()
