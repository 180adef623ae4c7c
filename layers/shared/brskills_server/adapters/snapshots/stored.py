"""What the adapters of the copy have in common, which is how they follow the month in place.

Another place for it is a class with the two methods of ``Months``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from math import inf
from threading import Lock
from typing import Generic, Protocol, TypeVar

from brskills_server.adapters.snapshots.folder import FORMAT
from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany
from brskills_server.registry.store import StoreFault

__all__ = ["Month", "MonthGone", "Months", "StoredSnapshot", "edition_of"]

_LOOK_SECONDS = 5.0
"""How often it is asked which month is in place."""


@dataclass(frozen=True, slots=True)
class Month:
    """A month in a store: its name, the table of its rows and what it says of itself."""

    name: str
    table: str
    edition: Edition


class MonthGone(StoreFault):
    """The month's table or file is not there (any more)."""


class _AnyMonth(Protocol):
    @property
    def edition(self) -> Edition:
        """What it says of itself."""


M = TypeVar("M", bound=_AnyMonth)


class Months(Protocol[M]):
    """Called from many threads; each call blocks for about a second at most and may raise ``StoreFault``."""

    def in_place(self, known: M | None) -> M | None:
        """The month in place: ``known`` itself where it is the same, ``None`` where there is no copy."""

    def rows(self, month: M, keys: tuple[str, str]) -> dict[str, str]:
        """The bodies of those of the keys that the month has, in one round trip; raises ``MonthGone``."""


class StoredSnapshot(Generic[M]):
    """``brskills_server.registry.snapshot.register_snapshot.RegisterSnapshot`` over the months of a place.

    The clock is the wall's: a function's process may be frozen for hours between two calls, and a monotonic
    clock need not count them.
    """

    def __init__(self, months: Months[M], clock: Callable[[], float] = time.time) -> None:
        self._months = months
        self._clock = clock
        self._turn = Lock()
        self._looked_at = -inf
        self._month: M | None = None
        self._fault: StoreFault | None = None

    def edition(self) -> Edition | None:
        """The month that is in place."""
        month = self._current()
        return month.edition if month else None

    def find(self, cnpj: str) -> SnapshotCompany | None:
        """One round trip, and another every few seconds that asks for the month."""
        month = self._current()
        if month is None:
            return None
        keys = (cnpj[:8], cnpj)
        try:
            bodies = self._months.rows(month, keys)
        except MonthGone:
            month = self._following(month)
            if month is None:
                return None
            bodies = self._months.rows(month, keys)
        return (
            SnapshotCompany(cnpj, bodies[cnpj], bodies.get(keys[0], ""), month.edition)
            if cnpj in bodies
            else None
        )

    def _current(self) -> M | None:
        """One thread looks, and the others go on with what is known; while nothing is, they wait for it."""
        if self._is_due() and self._turn.acquire(blocking=self._month is None):
            try:
                if self._is_due():
                    self._look()
            finally:
                self._turn.release()
        if self._month is None and self._fault:
            raise StoreFault(str(self._fault)) from self._fault
        return self._month

    def _following(self, gone: M) -> M | None:
        """What is in place now, where ``gone`` is no longer there."""
        with self._turn:
            if self._month is gone:
                self._look()
            if self._month is gone:
                raise StoreFault("the month in place is not there")
            return self._month

    def _is_due(self) -> bool:
        return not 0 <= self._clock() - self._looked_at < _LOOK_SECONDS

    def _look(self) -> None:
        """Where it fails the month that is known, if any, goes on answering."""
        try:
            self._month, self._fault = self._months.in_place(self._month), None
        except StoreFault as fault:
            self._fault = fault
        self._looked_at = self._clock()


def edition_of(written_as: str, day: str, texts: str) -> Edition:
    """What a month says of itself; raises ``StoreFault`` where another release's builder wrote it."""
    try:
        if written_as == FORMAT:
            return Edition(date.fromisoformat(day), json.loads(texts))
    except ValueError as fault:
        raise StoreFault("a month whose day or texts cannot be read") from fault
    raise StoreFault("a month of another format")
