"""Descriptions of all calls of the service: the request, and how to read the answer."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Generic, TypeVar, Unpack
from urllib.parse import quote, urlencode
from uuid import uuid4

from brskills.answers import Batch, BillingPage, IssuedKey, Plans, Status, Usage
from brskills.company import Company
from brskills.errors import ProblemError, UnexpectedAnswer, problem
from brskills.history import CompanyHistory, read_history
from brskills.payee import PayeeCheck
from brskills.pix import Charge, DecodedCode, DrawnCharge, PixCode
from brskills.reading import read
from brskills.search import SearchFields, SearchPage
from brskills.watches import ChangePage, Watch, Watched, Watching, WatchPage, read_changes

T = TypeVar("T")
Reader = Callable[[Any, Mapping[str, str]], T]

_WATCHES = "/api/v1/watches"


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A call. ``idempotency_key`` stays the same for each attempt.

    ``repeatable``: it may be sent again if it is unknown whether it arrived.
    """

    method: str
    path: str
    reader: Reader[T]
    content: Mapping[str, Any] | None = None
    idempotency_key: str | None = None
    needs_key: bool = True
    repeatable: bool = True

    def body(self) -> bytes | None:
        """Return the body in JSON, with amounts as decimal text and days as in ISO 8601."""
        return None if self.content is None else json.dumps(self.content, default=_plain).encode()

    def headers(self) -> dict[str, str]:
        """Return the headers that only this call needs."""
        found = {} if self.content is None else {"Content-Type": "application/json"}
        return found | ({"Idempotency-Key": self.idempotency_key} if self.idempotency_key else {})

    def read(self, status: int, headers: Mapping[str, str], body: bytes | bytearray) -> T:
        """Return the answer. Raise `ProblemError` or `UnexpectedAnswer`. ``headers``: names in lower case."""
        try:
            content = json.loads(body) if body else None
            if status < 300:
                return self.reader(content, headers)
        except (ArithmeticError, KeyError, RecursionError, TypeError, ValueError):
            raise UnexpectedAnswer(status, "not an answer as described", headers) from None
        raise problem(content, status, headers)


def create_pix_code(*, idempotency_key: str | None = None, **charge: Unpack[DrawnCharge]) -> Call[PixCode]:
    """Create a Pix code (copia e cola). Counts one call."""
    return _counted("pix", charge, _one(PixCode), idempotency_key)


def create_pix_codes(
    charges: Iterable[Charge], *, partial: bool = False, idempotency_key: str | None = None
) -> Call[Batch[PixCode]]:
    """Create up to 100 codes. ``partial``: as many as the quota allows, instead of none."""
    items = list(charges)
    content = {"itens": items, "parcial": partial}
    return _counted("pix/lote", content, _many(PixCode, len(items)), idempotency_key)


def decode(brcode: str) -> Call[DecodedCode]:
    """Decode a code and list every rule that it breaks. Not counted."""
    return Call("POST", "/api/v1/skills/pix/decode", _one(DecodedCode), {"brcode": brcode})


def conferir(
    brcode: str | None = None,
    *,
    chave: str | None = None,
    tipo_chave: str | None = None,
    nome_recebedor: str | None = None,
    seguir: bool | None = None,
    url: str | None = None,
    url_recorrencia: str | None = None,
    idempotency_key: str | None = None,
) -> Call[PayeeCheck]:
    """Check the payee of a code or a key against the register.

    ``seguir``: read and verify the charge that the PSP signed at the code's location, or at ``url`` and
    ``url_recorrencia`` in place of a code. Counts if the register has an answer or a signed charge was read.
    """
    given = {
        "brcode": brcode, "chave": chave, "tipo_chave": tipo_chave, "nome_recebedor": nome_recebedor,
        "seguir": seguir, "url": url, "url_recorrencia": url_recorrencia,
    }  # fmt: skip
    return _counted("pix/conferir", given, _one(PayeeCheck), idempotency_key)


def company(
    cnpj: str | int,
    *,
    idade_maxima: int | None = None,
    idade_dados_maxima: int | None = None,
    idempotency_key: str | None = None,
) -> Call[Company]:
    """Return a company's record; an integer is padded with zeros. Counts one call.

    ``idade_maxima``: maximum seconds since the lookup; ``idade_dados_maxima``: maximum days of the data.
    """
    # The number is sent in the body, which access logs do not keep.
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
    """Return up to 100 companies. ``partial`` as in `create_pix_codes`."""
    numbers = list(cnpjs)
    ages = {"idade_maxima": idade_maxima, "idade_dados_maxima": idade_dados_maxima}
    content = {"cnpjs": numbers, "parcial": partial, **ages}
    return _counted("cnpj/lote", content, _many(Company, len(numbers)), idempotency_key)


def history(cnpj: str | int, *, idempotency_key: str | None = None) -> Call[CompanyHistory]:
    """Return what changed of a company from month to month, as far as the service knows. Counts one call."""
    return _counted("cnpj/historico", {"cnpj": cnpj}, read_history, idempotency_key)


def search(*, idempotency_key: str | None = None, **fields: Unpack[SearchFields]) -> Call[SearchPage]:
    """Return a page of companies by name, activity, place and other fields. Counts one call."""
    return _counted("cnpj/busca", fields, _one(SearchPage), idempotency_key)


def watch(cnpj: str | int, referencia: str | None = None) -> Call[Watch]:
    """Watch a company; one that is watched already gets the new ``referencia``, if any. Not counted."""
    content = {"cnpj": cnpj} | ({} if referencia is None else {"referencia": referencia})
    return Call("POST", _WATCHES, _one(Watch), content)


def watch_all(companies: Iterable[str | int | Watched]) -> Call[tuple[Watching, ...]]:
    """Watch up to 1,000 companies, and return an outcome for each in order. Not counted."""
    items = list(companies)

    def read_outcomes(content: Any, headers: Mapping[str, str]) -> tuple[Watching, ...]:
        return tuple(_watching(entry, headers) for entry in _entries(content, len(items)))

    return Call("POST", _WATCHES, read_outcomes, {"cnpjs": items})


def watch_page(cursor: str | None = None, limite: int = 100) -> Call[WatchPage]:
    """Return a page of the watched companies, by number. Not counted."""
    return Call("GET", _paged(_WATCHES, cursor, limite), _one(WatchPage))


def unwatch(cnpj: str | int) -> Call[None]:
    """Stop watching a company, also if it was not watched."""
    number = f"{cnpj:014d}" if isinstance(cnpj, int) else quote(cnpj, safe="")
    return Call("DELETE", f"{_WATCHES}/{number}", lambda _content, _headers: None)


def changes(cursor: str | None = None, limite: int = 100) -> Call[ChangePage]:
    """Return what changed in watched companies, oldest first, behind ``cursor``. Not counted."""
    return Call("GET", _paged("/api/v1/changes", cursor, limite), read_changes)


def usage() -> Call[Usage]:
    """Return the month's calls and the remaining ones. Not counted."""
    return Call("GET", "/api/v1/usage", _one(Usage))


def create_key(email: str | None = None) -> Call[IssuedKey]:
    """Create a free key; needs no key.

    The e-mail limits how many keys one e-mail gets and, where the service has a contact, serves to recover
    the account if the key is lost. It is not verified and has no other use.
    """
    content = {"email": email} if email else {}
    return Call("POST", "/api/v1/keys", _one(IssuedKey), content, needs_key=False, repeatable=False)


def rotate_key(overlap_seconds: int = 0) -> Call[IssuedKey]:
    """Replace the client's key, which expires at once or after ``overlap_seconds``.

    If the service cannot confirm it, ``members["api_key"]`` of the `ProblemError` is the new key: try it
    first.
    """
    content = {"sobreposicao_segundos": overlap_seconds}
    return Call("POST", "/api/v1/keys/rotate", _one(IssuedKey), content, repeatable=False)


def revoke_key() -> Call[None]:
    """Revoke the client's key at once."""
    return Call("POST", "/api/v1/keys/revoke", lambda _content, _headers: None, {}, repeatable=False)


def checkout() -> Call[BillingPage]:
    """Create a page to subscribe to Pro."""
    return Call("POST", "/api/v1/billing/checkout", _one(BillingPage), {}, repeatable=False)


def portal() -> Call[BillingPage]:
    """Create a page to change, pay or cancel the subscription."""
    return Call("POST", "/api/v1/billing/portal", _one(BillingPage), {}, repeatable=False)


def plans() -> Call[Plans]:
    """Return the plans and their prices; needs no key."""
    return Call("GET", "/api/v1/plans", _one(Plans), needs_key=False)


def status() -> Call[Status]:
    """Return the state of the service and its sources; needs no key. For use after a failure."""
    return Call("GET", "/api/v1/status", _one(Status), needs_key=False)


def proof_keys() -> Call[Mapping[str, Any]]:
    """Return the public keys of signed answers, as a JWK Set; needs no key."""
    path = "/.well-known/jwks.json"
    return Call("GET", path, lambda content, _headers: read(dict, content), needs_key=False)


def _counted(skill: str, content: Mapping[str, Any], reader: Reader[T], key: str | None) -> Call[T]:
    given = {name: value for name, value in content.items() if value is not None}
    return Call("POST", f"/api/v1/skills/{skill}", reader, given, key or uuid4().hex)


def _one(kind: type[T]) -> Reader[T]:
    return lambda content, _headers: read(kind, content)


def _many(kind: type[T], count: int) -> Reader[Batch[T]]:
    def read_batch(content: Any, headers: Mapping[str, str]) -> Batch[T]:
        entries = _entries(content, count)
        return Batch(tuple(_item(kind, entry, headers) for entry in entries), read(int, content["contadas"]))

    return read_batch


def _entries(content: Any, count: int) -> list[Any]:
    entries = read(list, content["resultados"])
    if [entry["indice"] for entry in entries] != list(range(count)):
        raise ValueError("an answer for each item, in order, expected")
    return entries


def _watching(entry: Mapping[str, Any], headers: Mapping[str, str]) -> Watching:
    if entry["status"] < 300:
        return Watching(read(Watch, entry["resposta"]), nova=entry["status"] == 201)
    return Watching(None, problema=_problem_in(entry, headers))


def _paged(path: str, cursor: str | None, limite: int) -> str:
    return f"{path}?{urlencode({'limite': limite} | ({'cursor': cursor} if cursor else {}))}"


def _item(kind: type[T], entry: Mapping[str, Any], headers: Mapping[str, str]) -> T | ProblemError:
    if entry["status"] == 200:
        return read(kind, entry["resposta"])
    return _problem_in(entry, headers)


def _problem_in(entry: Mapping[str, Any], headers: Mapping[str, str]) -> ProblemError:
    error = problem(entry["problema"], entry["status"], headers)
    if isinstance(error, UnexpectedAnswer):
        raise error
    return error


def _plain(value: Any) -> str:
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be sent")
