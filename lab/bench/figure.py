"""A figure that was measured: a value, and its ratio to a peer or a floor of the same run."""

from __future__ import annotations

from typing import NamedTuple


class Spread(NamedTuple):
    """The quartiles of a ratio; less is better."""

    low: float
    middle: float
    high: float

    @staticmethod
    def exact(value: float) -> Spread:
        """Return the spread of a ratio that every run gives alike, such as one of simulated time."""
        return Spread(value, value, value)

    def __format__(self, form: str) -> str:
        return f"{self.middle:{form}} ({self.low:{form}}–{self.high:{form}})"


class Figure(NamedTuple):
    """``value`` in ``unit``; a floor's and a peer's figures have no ratio."""

    value: float
    unit: str
    ratio: Spread | None = None

    @property
    def times(self) -> str:
        """The ratio as a table has it."""
        return f"{self.ratio.middle:.2f}" if self.ratio else "1.00"
