"""Watched companies, and the feed of what changed in them, with the names of the API."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypedDict

from brskills.errors import ProblemError
from brskills.history import Change, read_change
from brskills.reading import read


class Watched(TypedDict, total=False):
    """A company to watch; ``cnpj`` is needed. ``referencia``: the caller's own, up to 100 characters."""

    cnpj: str | int
    referencia: str | None


@dataclass(frozen=True, slots=True)
class Watch:
    """A watched company, since ``desde``."""

    cnpj: str
    referencia: str | None
    desde: datetime


@dataclass(frozen=True, slots=True)
class Watching:
    """The outcome for one company of several: it is watched (``nova``: since now), or a problem."""

    watch: Watch | None
    nova: bool = False
    problema: ProblemError | None = None


@dataclass(frozen=True, slots=True)
class WatchPage:
    """A page of watched companies, by number; ``cursor``: of the next page."""

    watches: tuple[Watch, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class WatchedChange:
    """What the copy of ``data_base`` changed in a watched company. ``id`` is unique in the account."""

    id: str
    cnpj: str
    referencia: str | None
    data_base: date
    mudancas: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Changes, oldest first; ``cursor``: for what comes later, also on the last page."""

    mudancas: tuple[WatchedChange, ...]
    cursor: str


def read_changes(content: Any, _headers: Mapping[str, str]) -> ChangePage:
    """Return a page of the feed. Raise `KeyError`, `TypeError`, `ValueError` or `ArithmeticError`."""
    changes = tuple(map(read_watched_change, read(list, content["mudancas"])))
    return ChangePage(changes, read(str, content["cursor"]))


def read_watched_change(members: Mapping[str, Any]) -> WatchedChange:
    """Return one change of the feed. Raise as `read_changes`."""
    number, reference = (members[name] for name in ("cnpj", "referencia"))
    return WatchedChange(
        read(str, members["id"]),
        read(str, number),
        None if reference is None else read(str, reference),
        read(date, members["data_base"]),
        tuple(map(read_change, read(list, members["mudancas"]))),
    )
