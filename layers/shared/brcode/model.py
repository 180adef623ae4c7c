"""What goes in and out of the package: plain, immutable values.

The values of kinds, key types and reasons are part of the public contract and Portuguese.
"""

from __future__ import annotations

from enum import StrEnum

from brcode.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from decimal import Decimal
    from typing import TypedDict

    from brcode.rules import Finding

    class Charge(TypedDict, total=False):
        """The parameters of ``encode``; ``None`` means the same as leaving one out, but for ``strict``."""

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


__all__ = ["Adjustment", "BrCode", "Fields", "KeyType", "Kind", "PixKey"]


class Kind(StrEnum):
    """What a code asks for, decided by what its templates hold."""

    ESTATICO = "estatico"  # 26-01: the key itself
    DINAMICO = "dinamico"  # 26-25: the address of the charge
    SAQUE = "saque"  # 26-01 and 26-03: cash from a facilitator
    RECORRENCIA = "recorrencia"  # template 80 alone: Pix Automático, jornada 2
    COMPOSTO = "composto"  # template 80 with a charge or a key: jornadas 3 and 4


class KeyType(StrEnum):
    """The five kinds of Pix key (BCB DICT API 1.8)."""

    CPF = "cpf"
    CNPJ = "cnpj"
    EMAIL = "email"
    TELEFONE = "telefone"
    ALEATORIA = "aleatoria"


class PixKey(Record):
    """A key in the form in which DICT stores it."""

    type: KeyType
    value: str


class Adjustment(Record):
    """One step by which a text was changed to fit: ``after`` of a step is ``before`` of the next.

    ``reason`` is one of ``transliterado``, ``removido``, ``espacos``, ``truncado``, ``protocolo``.
    """

    field: str
    before: str
    after: str
    reason: str


class BrCode(Record):
    """A finished code and the values written in it; ``amount`` is reais as ``"49.90"``.

    ``alerts``: what is legal and yet probably a slip, such as a landline as a key.
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
    alerts: tuple[Finding, ...]


class Fields(Record):
    """The values of a code as written in it; ``None`` where it has no such field.

    ``unknown`` lists what Pix has no name for, as pairs of an id path and a value: ``("27-01", "…")``.
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
