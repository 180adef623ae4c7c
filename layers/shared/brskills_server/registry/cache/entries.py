"""Entries of the cache: a company's record, or its absence.

A record with the right seal, a hash over it and its form, is answered as it is; any other is validated.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from brskills_server.registry.answer import RecordText
from brskills_server.registry.free_text import clean_text
from brskills_server.registry.store import Fields

RECORDS = "5675c021"
"""The form of records in seals: the hash of the model's schema, which a test compares."""

_TEXTS = "visible"  # the rule of ``free_text`` in seals; another rule needs another word
_NUMBERS = frozenset(("telefones", "inscricoes_estaduais", "capital_social"))  # digits that are not a CPF
_FORMAT = 1


@dataclass(frozen=True)
class StoredCompany(RecordText):
    """A stored record; ``asked_at``: when its source answered (epoch seconds).

    ``paid_at``: when a paid address last answered without meeting the requested freshness; 0: never.
    """

    lifetime: ClassVar[int] = 45 * 86_400
    """Seconds after which it answers no query, even where the sources fail."""

    asked_at: int
    paid_at: int = 0

    @property
    def expires_at(self) -> int:
        """When the store may delete the entry."""
        return self.asked_at + self.lifetime

    def to_fields(self) -> Fields:
        """Return the entry for the store."""
        return _fields(self, record=self.text, seal=_seal(self.text))


@dataclass(frozen=True, slots=True)
class StoredAbsence:
    """A stored "no such company"; ``data_base`` is the day (ISO) of the data that lacks it, if known.

    ``paid_at``: when a paid address said so; 0: none did.
    """

    confirmed: bool
    data_base: str | None
    asked_at: int
    paid_at: int = 0

    @property
    def fresh_seconds(self) -> int:
        """How long it answers queries."""
        return 6 * 3600 if self.confirmed else 600

    @property
    def expires_at(self) -> int:
        """When the store may delete the entry: after a day, in which the request may be repeated."""
        return self.asked_at + 86_400

    def to_fields(self) -> Fields:
        """Return the entry for the store."""
        return _fields(self, confirmed=int(self.confirmed), data_base=self.data_base or "")


Entry = StoredCompany | StoredAbsence


def read_entry(entry: Fields | None, cnpj: str) -> Entry | None:
    """Return the entry of a company from its stored fields; ``None`` where it cannot be used."""
    if entry is None or entry.get("form") != _FORMAT or not isinstance(entry.get("at"), int):
        return None
    asked_at, paid_at = cast(int, entry["at"]), entry.get("paid_at")
    paid_at = paid_at if isinstance(paid_at, int) else 0
    match entry:
        case {"record": str(text)}:
            is_own = text.startswith(f'{{"cnpj":"{cnpj}",')  # the model writes the number first
            whole = text if is_own and entry.get("seal") == _seal(text) else _validate(text, cnpj)
            return StoredCompany(whole, asked_at, paid_at) if whole else None
        case {"confirmed": int(confirmed), "data_base": str(data_base)}:
            return StoredAbsence(bool(confirmed), data_base or None, asked_at, paid_at)
    return None


def _fields(entry: Entry, **own: str | int) -> Fields:
    fields = {"form": _FORMAT, **own, "at": entry.asked_at}
    return {**fields, "paid_at": entry.paid_at} if entry.paid_at else fields


def _seal(text: str) -> str:
    content = f"{RECORDS}{_TEXTS}{text}".encode(errors="surrogatepass")
    return hashlib.blake2b(content, digest_size=12).hexdigest()


def _validate(text: str, cnpj: str) -> str | None:
    """Return the record as this release writes it; ``None`` if it is not a record of this company."""
    from brskills_server.registry.company import Record  # pydantic is slow to import

    try:
        record = Record.model_validate(_clean(json.loads(text)))
    except ValueError:  # pydantic's too
        return None
    return record.model_dump_json() if record.cnpj == cnpj else None


def _clean(value: Any) -> Any:
    """Return a part of a record with its texts as this release cleans them."""
    match value:
        case dict():
            return {name: part if name in _NUMBERS else _clean(part) for name, part in value.items()}
        case list():
            return [_clean(part) for part in value]
        case str():
            return clean_text(value)
    return value
