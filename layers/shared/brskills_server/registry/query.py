"""The query of a look-up: which company, how fresh an answer, and the terms for calling sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from brskills_server.registry.dates import day_of

_DAYS_AHEAD = 1  # a source may date its data by UTC; a day further in the future is an error


@dataclass(frozen=True, slots=True)
class Freshness:
    """Limits of age: seconds since a source answered, and days (in Brazil) since the day of the data."""

    max_age: int | None = None
    max_data_age: int | None = None

    def allows_data_of(self, day: date | None, now: float) -> bool:
        """Return whether data of this day is fresh enough; data of an unknown day is not, under a limit."""
        if self.max_data_age is None:
            return True
        return day is not None and -_DAYS_AHEAD <= (day_of(now) - day).days <= self.max_data_age

    def of_sources(self) -> Freshness:
        """Return the limits without ``max_age``, which every answer that a source gives now is within."""
        return Freshness(max_data_age=self.max_data_age)


@dataclass(frozen=True, slots=True)
class Payer:
    """An account for which paid addresses may be called.

    ``claim_share``: take one call of the account's share of the day, if there is one left; it may block, and
    raise ``StoreFault``.
    """

    id: str
    claim_share: Callable[[], bool] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Repetition:
    """A request that was counted before, first at ``since`` (epoch seconds).

    ``is_pending``: the first attempt may still be under way. ``may_ask``: return whether sources may be
    called for one more company; it may block.
    """

    since: int
    is_pending: bool
    may_ask: Callable[[], bool] = field(compare=False)


_ANY = Freshness()


@dataclass(frozen=True, slots=True)
class Query:
    """A canonical number (see ``number.parse_cnpj``) and the terms of its look-up.

    ``payer``: without it no paid address is called. ``repetition``: of a request that was counted before.
    ``before_asking``: called before providers are; what it raises ends the look-up.
    """

    cnpj: str
    freshness: Freshness = _ANY
    payer: Payer | None = None
    repetition: Repetition | None = None
    before_asking: Callable[[], None] = field(default=lambda: None, compare=False)
