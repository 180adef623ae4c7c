"""What is stored of a company: its record, or that there is no such company.

Every entry names its format. One of another format, or damaged, is treated as absent. A record is stored
under a seal: one whose seal is whole is a record as this release has them, and is served as it is. Any other
is cleaned and read by the model, which completes what an earlier release has stored.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from brskills_server.registry.free_text import clean_text
from brskills_server.registry.store import Fields

if TYPE_CHECKING:
    from brskills_server.registry.company import Record

__all__ = ["RECORDS", "StoredAbsence", "StoredCompany", "read_stored"]

RECORDS = "b80c771a"
"""What stands in seals for the form of records: the hash of the model's schema. A test holds it to that,
so no seal is whole of a release whose records had another form."""

_TEXTS = "visible"
"""What stands in seals for how texts are cleaned (``brskills_server.registry.free_text``): another rule, another word."""

_NUMBERS = frozenset(("telefones", "inscricoes_estaduais", "capital_social"))
"""What has digits that are no CPF's, and no texts."""

_FORMAT = 1
_CONFIRMED_SECONDS, _UNCONFIRMED_SECONDS = 6 * 3600, 600


@dataclass(frozen=True)
class StoredCompany:
    """A stored record: ``text`` is its JSON, ``asked_at`` when its source answered (epoch seconds).

    ``paid_at``: when a paid address last answered with nothing that met the demand; 0: never.
    """

    text: str
    asked_at: int
    paid_at: int = 0

    @cached_property
    def record(self) -> Record:
        """The record as a model, made when it is first asked for: what is served does not need it."""
        from brskills_server.registry.company import Record

        return Record.model_validate_json(self.text)

    def to_fields(self) -> Fields:
        """The entry to be stored."""
        return {
            "form": _FORMAT,
            "record": self.text,
            "seal": _seal(self.text),
            "at": self.asked_at,
            **_paid_field(self.paid_at),
        }


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
        """How long it serves as an answer."""
        return _CONFIRMED_SECONDS if self.confirmed else _UNCONFIRMED_SECONDS

    def to_fields(self) -> Fields:
        """The entry to be stored."""
        return {
            "form": _FORMAT,
            "confirmed": int(self.confirmed),
            "data_base": self.data_base or "",
            "at": self.asked_at,
            **_paid_field(self.paid_at),
        }


def read_stored(entry: Fields | None, cnpj: str) -> StoredCompany | StoredAbsence | None:
    """What an entry says of a company; ``None`` without an entry that can be used."""
    if entry is None or entry.get("form") != _FORMAT or not isinstance(entry.get("at"), int):
        return None
    asked_at, paid_at = cast(int, entry["at"]), entry.get("paid_at")
    paid_at = paid_at if isinstance(paid_at, int) else 0
    match entry:
        case {"record": str(text)}:
            of_it = text.startswith(f'{{"cnpj":"{cnpj}",')  # the model writes it first
            whole = text if of_it and entry.get("seal") == _seal(text) else _read_by_the_model(text, cnpj)
            return StoredCompany(whole, asked_at, paid_at) if whole else None
        case {"confirmed": int(confirmed), "data_base": str(data_base)}:
            return StoredAbsence(bool(confirmed), data_base or None, asked_at, paid_at)
    return None


def _paid_field(paid_at: int) -> dict[str, str | int]:
    return {"paid_at": paid_at} if paid_at else {}


def _seal(text: str) -> str:
    return hashlib.blake2b(
        f"{RECORDS}{_TEXTS}{text}".encode(errors="surrogatepass"), digest_size=12
    ).hexdigest()


def _read_by_the_model(text: str, cnpj: str) -> str | None:
    """A record that this release did not store, as it would; ``None`` if it is none of this company."""
    from brskills_server.registry.company import Record  # what this release stored does not need it

    try:
        record = Record.model_validate(_cleaned(json.loads(text)))
    except ValueError:  # pydantic's too
        return None
    return record.model_dump_json() if record.cnpj == cnpj else None


def _cleaned(value: Any) -> Any:
    """A part of a record with its texts as this release has them."""
    match value:
        case dict():
            return {name: part if name in _NUMBERS else _cleaned(part) for name, part in value.items()}
        case list():
            return [_cleaned(part) for part in value]
        case str():
            return clean_text(value)
    return value
