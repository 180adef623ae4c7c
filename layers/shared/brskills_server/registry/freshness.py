"""What a caller demands of an answer: how long ago a source was asked, and how old the data itself may be.

What does not meet a demand is no answer: no older record takes its place, nor an absence in older data.
Without a demand on the data none of this tells one record or provider from another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from brskills_server.registry.dates import day_of
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.providers.provider import Provider

__all__ = ["Freshness", "eligible"]

_CLOCK_SKEW = 300  # how far clocks may differ (seconds); an entry from further in the future is damaged
_DAYS_AHEAD = 1  # a source may date its data by UTC; a day further in the future is none of any data


@dataclass(frozen=True, slots=True)
class Freshness:
    """``max_age``: the most seconds since a source answered. ``max_data_age``: the most days since the day of
    the data, in Brazil. ``None``: any."""

    max_age: int | None = None
    max_data_age: int | None = None

    def allows_answer_of(self, asked_at: int, now: float, lasting: int) -> bool:
        """Whether an answer of a source at ``asked_at`` will do, which serves for so many seconds at most."""
        limit = lasting if self.max_age is None else min(lasting, self.max_age)
        return limit > 0 and -_CLOCK_SKEW <= now - asked_at <= limit

    def of_sources(self) -> Freshness:
        """Return the part of the demand that decides which sources are asked, and which answer will do.

        What they answer now is recent enough for any ``max_age``.
        """
        return Freshness() if self.max_data_age is None else replace(self, max_age=None)

    def allows_data_of(self, day: date | None, now: float) -> bool:
        """Whether data of this day will do; of an unknown day it never does where the data's age matters."""
        if self.max_data_age is None:
            return True
        return day is not None and -_DAYS_AHEAD <= (day_of(now) - day).days <= self.max_data_age


def eligible(
    providers: Sequence[Provider],
    demand: Freshness,
    dump_date: Callable[[Provider], date | None],
    now: float,
) -> list[Provider]:
    """The providers whose data may meet a demand on it, the monthly dumps last.

    Without such a demand: all that cost nothing, as they are. ``dump_date``: the day of a provider's dump, if
    it is known.
    """
    if demand.max_data_age is None:
        return [provider for provider in providers if provider.paid is None]

    def may_meet(provider: Provider) -> bool:
        if "data_base" in provider.fields or provider.id == SNAPSHOT_ID:  # each record tells its day
            return True
        day = dump_date(provider)
        unknown_yet = day is None and provider.dump_date is not None
        return unknown_yet or demand.allows_data_of(day, now)

    return sorted(filter(may_meet, providers), key=lambda provider: provider.monthly_dump)
