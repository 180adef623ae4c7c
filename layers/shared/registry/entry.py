"""What is stored of a company: its record as JSON, or that there was none.

Each entry names its form. One of another form, or damaged, is as good as none: it reads as ``None``.
"""

from dataclasses import dataclass
from typing import cast

from pydantic import ValidationError

from registry.company import Record
from registry.store import Fields

__all__ = ["Denied", "Kept", "keep", "keep_denial", "read_entry"]

_FORM = 1
FRESH_CONFIRMED, FRESH_UNCONFIRMED = 6 * 3600, 600


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored record: ``text`` is its JSON, ``at`` when it was asked for (epoch seconds)."""

    record: Record
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Denied:
    """A stored "no such company"."""

    confirmed: bool
    data_base: str | None
    at: int

    @property
    def lasts(self) -> int:
        """For how many seconds it is believed."""
        return FRESH_CONFIRMED if self.confirmed else FRESH_UNCONFIRMED


def keep(kept: Kept) -> Fields:
    """A record as an entry."""
    return {"form": _FORM, "record": kept.text, "at": kept.at}


def keep_denial(denied: Denied) -> Fields:
    """A denial as an entry."""
    return {
        "form": _FORM,
        "confirmed": int(denied.confirmed),
        "data_base": denied.data_base or "",
        "at": denied.at,
    }


def read_entry(entry: Fields | None, cnpj: str) -> Kept | Denied | None:
    """The meaning of an entry, or ``None`` where it has none."""
    if entry is None or entry.get("form") != _FORM or not isinstance(entry.get("at"), int):
        return None
    at = cast(int, entry["at"])
    match entry:
        case {"record": str(text)}:
            try:
                record = Record.model_validate_json(text)
            except ValidationError:
                return None
            return Kept(record, text, at) if record.cnpj == cnpj else None
        case {"confirmed": int(confirmed), "data_base": str(data_base)}:
            return Denied(bool(confirmed), data_base or None, at)
    return None
