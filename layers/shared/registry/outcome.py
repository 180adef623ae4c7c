"""What asking one provider can end in."""

from dataclasses import dataclass
from datetime import date

from registry.company import Record
from registry.providers import Provider

__all__ = ["LONGEST_REST", "Failed", "Found", "Missing", "Outcome", "Skipped"]

LONGEST_REST = 86_400
"""For how many seconds a provider may ask to be left alone."""


@dataclass(frozen=True, slots=True)
class Found:
    """The provider has the company."""

    provider: Provider
    record: Record


@dataclass(frozen=True, slots=True)
class Missing:
    """The provider says that there is no such company; ``data_base`` is the day of its data."""

    provider: Provider
    data_base: date | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """No use: an error, garbage, silence. ``retry_after`` in seconds where the provider asks for a rest."""

    provider: Provider
    retry_after: int | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """Not asked (breaker, quota), or the provider cannot look up numbers of this kind: nobody's failure."""

    provider: Provider


Outcome = Found | Missing | Failed | Skipped
