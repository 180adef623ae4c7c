"""What is stored of a company: its record, or that there is no such company.

Every entry names its format. One of another format, or damaged, is treated as absent.
"""

from dataclasses import dataclass
from typing import cast

from pydantic import ValidationError

from registry.company import Record
from registry.store import Fields

__all__ = ["StoredAbsence", "StoredCompany", "read_stored"]

_FORMAT = 1
_CONFIRMED_SECONDS, _UNCONFIRMED_SECONDS = 6 * 3600, 600


@dataclass(frozen=True, slots=True)
class StoredCompany:
    """A stored record: ``text`` is its JSON, ``asked_at`` when its source answered (epoch seconds)."""

    text: str
    record: Record
    asked_at: int

    def to_fields(self) -> Fields:
        """The entry to be stored."""
        return {"form": _FORMAT, "record": self.text, "at": self.asked_at}


@dataclass(frozen=True, slots=True)
class StoredAbsence:
    """A stored "no such company"; ``data_base`` is the day (ISO) of the data that lacks it, if known."""

    confirmed: bool
    data_base: str | None
    asked_at: int

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
        }


def read_stored(entry: Fields | None, cnpj: str) -> StoredCompany | StoredAbsence | None:
    """What an entry says of a company; ``None`` without an entry that can be used."""
    if entry is None or entry.get("form") != _FORMAT or not isinstance(entry.get("at"), int):
        return None
    asked_at = cast(int, entry["at"])
    match entry:
        case {"record": str(text)}:
            try:
                record = Record.model_validate_json(text)
            except ValidationError:
                return None
            if len(record.model_fields_set) < len(Record.model_fields):  # a release before this one stored it
                text = record.model_dump_json()
            return StoredCompany(text, record, asked_at) if record.cnpj == cnpj else None
        case {"confirmed": int(confirmed), "data_base": str(data_base)}:
            return StoredAbsence(bool(confirmed), data_base or None, asked_at)
    return None
