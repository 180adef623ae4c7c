"""Every call of the service, described without making one: what is sent, and how the answer is read.

Both clients are made of these descriptions (``brskills.operations``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, Generic, TypeVar, Unpack
from uuid import uuid4

from brskills.answers import BillingPage, IssuedKey, Plans, Status, Usage
from brskills.batch import Batch, read_batch
from brskills.company import Company
from brskills.errors import UnexpectedAnswer, problem
from brskills.payee import PayeeCheck
from brskills.pix import Charge, DecodedCode, PixCode
from brskills.reading import read

__all__ = [
    "Call",
    "checkout",
    "companies",
    "company",
    "conferir",
    "create_key",
    "create_pix_code",
    "create_pix_codes",
    "decode",
    "plans",
    "portal",
    "revoke_key",
    "rotate_key",
    "status",
    "usage",
]

T = TypeVar("T")
Reader = Callable[[Any, Mapping[str, str]], T]


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A call to make. ``idempotency_key`` stays the same however often it is sent.

    ``repeatable``: it may be sent again where nobody knows whether it arrived.
    """

    method: str
    path: str
    reader: Reader[T]
    content: Mapping[str, Any] | None = None
    idempotency_key: str | None = None
    needs_key: bool = True
    repeatable: bool = True

    def body(self) -> bytes | None:
        """The body in JSON, with amounts as they are written."""
        return None if self.content is None else json.dumps(self.content, default=_plain).encode()

    def headers(self) -> dict[str, str]:
        """What is sent beside the client's own headers."""
        found = {} if self.content is None else {"Content-Type": "application/json"}
        return found | ({"Idempotency-Key": self.idempotency_key} if self.idempotency_key else {})

    def read(self, status: int, headers: Mapping[str, str], body: bytes | bytearray) -> T:
        """The answer; raises ``ProblemError`` or ``UnexpectedAnswer``. ``headers`` by names in lower case."""
        try:
            content = json.loads(body) if body else None
            if status < 300:
                return self.reader(content, headers)
        except (ArithmeticError, KeyError, RecursionError, TypeError, ValueError):
            raise UnexpectedAnswer(status, "not an answer as described", headers) from None
        raise problem(content, status, headers)


def create_pix_code(*, idempotency_key: str | None = None, **charge: Unpack[Charge]) -> Call[PixCode]:
    """A Pix code (copia e cola). Counts one call."""
    return _counted("pix", charge, _one(PixCode), idempotency_key)


def create_pix_codes(
    charges: Iterable[Charge], *, partial: bool = False, idempotency_key: str | None = None
) -> Call[Batch[PixCode]]:
    """Up to a hundred codes. ``partial``: as many as the month has room for, in place of none."""
    items = list(charges)
    content = {"itens": items, "parcial": partial}
    return _counted("pix/lote", content, _many(PixCode, len(items)), idempotency_key)


def decode(brcode: str) -> Call[DecodedCode]:
    """What is in a code, and every rule that it breaks. Not counted."""
    return Call("POST", "/api/v1/skills/pix/decode", _one(DecodedCode), {"brcode": brcode})


def conferir(
    brcode: str | None = None,
    *,
    chave: str | None = None,
    tipo_chave: str | None = None,
    nome_recebedor: str | None = None,
    idempotency_key: str | None = None,
) -> Call[PayeeCheck]:
    """Check the payee of a code or a key against the register. Counts where the register had an answer."""
    given = {"brcode": brcode, "chave": chave, "tipo_chave": tipo_chave, "nome_recebedor": nome_recebedor}
    return _counted("pix/conferir", given, _one(PayeeCheck), idempotency_key)


def company(
    cnpj: str | int,
    *,
    idade_maxima: int | None = None,
    idade_dados_maxima: int | None = None,
    idempotency_key: str | None = None,
) -> Call[Company]:
    """A company's record; an integer gets its leading zeros back. Counts one call.

    ``idade_maxima``: the most seconds since a source was asked; ``idade_dados_maxima``: the most days since
    the day of its data.
    """
    # The number goes in the body, where no access log keeps it.
    content = {"cnpj": cnpj, "idade_maxima": idade_maxima, "idade_dados_maxima": idade_dados_maxima}
    return _counted("cnpj", content, _one(Company), idempotency_key)


def companies(
    cnpjs: Iterable[str | int],
    *,
    idade_maxima: int | None = None,
    idade_dados_maxima: int | None = None,
    partial: bool = False,
    idempotency_key: str | None = None,
) -> Call[Batch[Company]]:
    """Up to a hundred companies, looked up side by side. ``partial`` as in ``create_pix_codes``."""
    numbers = list(cnpjs)
    demand = {"idade_maxima": idade_maxima, "idade_dados_maxima": idade_dados_maxima}
    content = {"cnpjs": numbers, "parcial": partial, **demand}
    return _counted("cnpj/lote", content, _many(Company, len(numbers)), idempotency_key)


def usage() -> Call[Usage]:
    """The month's calls and what is left. Not counted."""
    return Call("GET", "/api/v1/usage", _one(Usage))


def create_key(email: str | None = None) -> Call[IssuedKey]:
    """A free key, at once; the client needs none for it. The e-mail is for a key that gets lost."""
    content = {"email": email} if email else {}
    return Call("POST", "/api/v1/keys", _one(IssuedKey), content, needs_key=False, repeatable=False)


def rotate_key(overlap_seconds: int = 0) -> Call[IssuedKey]:
    """A new key of the account; the client's own ends at once, or after so many seconds.

    If the service cannot confirm it, ``members["api_key"]`` of the ``ProblemError`` is the new key: try it
    first.
    """
    content = {"sobreposicao_segundos": overlap_seconds}
    return Call("POST", "/api/v1/keys/rotate", _one(IssuedKey), content, repeatable=False)


def revoke_key() -> Call[None]:
    """End the client's key, at once."""
    return Call("POST", "/api/v1/keys/revoke", _nothing, {}, repeatable=False)


def checkout() -> Call[BillingPage]:
    """A page to subscribe to Pro at."""
    return Call("POST", "/api/v1/billing/checkout", _one(BillingPage), {}, repeatable=False)


def portal() -> Call[BillingPage]:
    """A page to change, pay or end the subscription at."""
    return Call("POST", "/api/v1/billing/portal", _one(BillingPage), {}, repeatable=False)


def plans() -> Call[Plans]:
    """What the plans cost and hold; needs no key."""
    return Call("GET", "/api/v1/plans", _one(Plans), needs_key=False)


def status() -> Call[Status]:
    """How the service and its sources are; needs no key. For after a failure, not before each call."""
    return Call("GET", "/api/v1/status", _one(Status), needs_key=False)


def _counted(skill: str, content: Mapping[str, Any], reader: Reader[T], key: str | None) -> Call[T]:
    given = {name: value for name, value in content.items() if value is not None}
    return Call("POST", f"/api/v1/skills/{skill}", reader, given, key or uuid4().hex)


def _one(kind: type[T]) -> Reader[T]:
    return lambda content, _headers: read(kind, content)


def _many(kind: type[T], count: int) -> Reader[Batch[T]]:
    return partial(read_batch, kind, count)


def _nothing(_content: Any, _headers: Mapping[str, str]) -> None:
    return None


def _plain(value: Any) -> str:
    if isinstance(value, Decimal):
        return format(value, "f")
    raise TypeError(f"{type(value).__name__} cannot be sent")
