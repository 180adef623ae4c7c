"""A company's history, with the names of the API: what monthly copies of the register said differently."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from brskills.company import Activity, Address, Coded, Partner, RegistrationStatus, TaxOption
from brskills.reading import read

Value = (
    str | Decimal | RegistrationStatus | Coded | Activity | Address | TaxOption
    | tuple[Activity, ...] | tuple[Partner, ...] | None
)  # fmt: skip

_KINDS: Mapping[str, Any] = {
    "situacao_cadastral": RegistrationStatus,
    "natureza_juridica": Coded,
    "porte": Coded,
    "capital_social": Decimal,
    "cnae_principal": Activity,
    "cnaes_secundarios": tuple[Activity, ...],
    "endereco": Address,
    "simples": TaxOption,
    "mei": TaxOption,
    "socios": tuple[Partner, ...],
}
"""The fields of a record of which a change has values that are not texts."""


@dataclass(frozen=True, slots=True)
class Change:
    """A field's values before and after, as in the record; ``data_base``: of the first copy with the new one.

    In ``socios`` they are who left and who came; ``registro`` is ``novo`` or ``ausente`` in ``para``.
    """

    data_base: date
    campo: str
    de: Value
    para: Value


@dataclass(frozen=True, slots=True)
class CompanyHistory:
    """Changes, newest first, since the copy of ``desde``; ``data_base``: of the newest copy."""

    cnpj: str
    desde: date
    data_base: date
    mudancas: tuple[Change, ...]


def read_history(content: Any, _headers: Mapping[str, str]) -> CompanyHistory:
    """Return a history. Raise `KeyError`, `TypeError`, `ValueError` or `ArithmeticError`."""
    since, day = (read(date, content[name]) for name in ("desde", "data_base"))
    changes = tuple(read_change(member) for member in read(list, content["mudancas"]))
    return CompanyHistory(read(str, content["cnpj"]), since, day, changes)


def read_change(members: Mapping[str, Any]) -> Change:
    """Return one change. Raise as `read_history`."""
    name = read(str, members["campo"])
    before, after = (_value(name, members[place]) for place in ("de", "para"))
    return Change(read(date, members["data_base"]), name, before, after)


def _value(name: str, content: Any) -> Any:
    return None if content is None else read(_KINDS.get(name, str), content)
