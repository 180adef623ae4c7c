"""The register's snapshot over the months in one place, following the month that is current."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from math import inf
from threading import Lock
from typing import Generic, Protocol, TypeVar

from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany
from brskills_server.registry.store import StoreFault

FORMAT = "2"
"""The version of a month's rows, and of the file or table with them."""

_LOOK_SECONDS = 5.0
"""How often the current month is read."""


@dataclass(frozen=True, slots=True)
class Month:
    """A month in a store: its name, the table of its rows, and its edition.

    ``search``: the function that searches in it, on AWS alone.
    """

    name: str
    table: str
    edition: Edition
    search: str = ""


class MonthGone(StoreFault):
    """The month's table or file does not exist (any more)."""


class _AnyMonth(Protocol):
    @property
    def edition(self) -> Edition:
        """The month's edition."""


M = TypeVar("M", bound=_AnyMonth)


class Months(Protocol[M]):
    """Called from many threads; each call blocks for about a second at most and may raise ``StoreFault``.

    One for more than a hundred keys may block for as many seconds as it has hundreds.
    """

    def in_place(self, known: M | None) -> M | None:
        """Return the current month: ``known`` itself where it is the same, ``None`` without a snapshot."""

    def rows(self, month: M, keys: Collection[str]) -> dict[str, str]:
        """Return the bodies of those of the keys that the month has. Raise ``MonthGone``."""


class StoredSnapshot(Generic[M]):
    """A ``RegisterSnapshot`` over months.

    The clock is the system's: a function's process may be frozen for hours between two calls, which a
    monotonic clock need not count.
    """

    def __init__(self, months: Months[M], clock: Callable[[], float] = time.time) -> None:
        self._months = months
        self._clock = clock
        self._turn = Lock()
        self._looked_at = -inf
        self._month: M | None = None
        self._failure: StoreFault | None = None

    def edition(self) -> Edition | None:
        """Return the current edition."""
        month = self._current()
        return month.edition if month else None

    def find(self, cnpj: str) -> SnapshotCompany | None:
        """Return the rows of a company."""
        return self.find_many([cnpj]).get(cnpj)

    def find_many(self, cnpjs: Sequence[str]) -> dict[str, SnapshotCompany]:
        """Return the rows of companies, in one round trip, and another every few seconds for the month."""
        month = self._current()
        keys = list(dict.fromkeys(key for cnpj in cnpjs for key in (cnpj[:8], cnpj)))
        if month is None:
            return {}
        try:
            bodies = self._months.rows(month, keys)
        except MonthGone:
            month = self._following(month)
            if month is None:
                return {}
            bodies = self._months.rows(month, keys)
        return {
            cnpj: SnapshotCompany(cnpj, bodies[cnpj], bodies.get(cnpj[:8], ""), month.edition)
            for cnpj in cnpjs
            if cnpj in bodies
        }

    def _current(self) -> M | None:
        """Return the current month; one thread reads it while the others use the known one, if any."""
        if self._is_outdated() and self._turn.acquire(blocking=self._month is None):
            try:
                if self._is_outdated():
                    self._look()
            finally:
                self._turn.release()
        if self._month is None and self._failure:
            raise StoreFault(str(self._failure)) from self._failure
        return self._month

    def _following(self, gone: M) -> M | None:
        """Return the current month after ``gone``, which does not exist any more."""
        with self._turn:
            if self._month is gone:
                self._look()
            if self._month is gone:
                raise StoreFault("the current month is missing")
            return self._month

    def _is_outdated(self) -> bool:
        return not 0 <= self._clock() - self._looked_at < _LOOK_SECONDS

    def _look(self) -> None:
        """Read which month is current; where that fails the known month, if any, stays in use."""
        try:
            self._month, self._failure = self._months.in_place(self._month), None
        except StoreFault as failure:
            self._failure = failure
        self._looked_at = self._clock()


def edition_of(written_as: str, day: str, texts: str, build: str) -> Edition:
    """Return a month's edition. Raise ``StoreFault`` where another release's builder wrote it."""
    if written_as != FORMAT:
        raise StoreFault(other_format(written_as))
    try:
        return Edition(date.fromisoformat(day), json.loads(texts), build)
    except ValueError as error:
        raise StoreFault("a month whose day or texts cannot be read") from error


def other_format(written_as: object) -> str:
    """Return why a month is not read, and what to do."""
    return f"a month of format {written_as!a}, where this release reads {FORMAT}: build a month with it"
