"""How fresh an answer has to be: the age of the answer, and the age of the data in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from brskills_server.registry.dates import day_of

_DAYS_AHEAD = 1  # a source may date its data by UTC; a day further in the future is an error


@dataclass(frozen=True, slots=True)
class Freshness:
    """Limits of age. ``max_age``: seconds since a source answered. ``max_data_age``: days since the day of
    the data, in Brazil. ``None``: no limit."""

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
