"""What an attempt to ask one provider can result in, and who is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from registry.providers.provider import Provider

if TYPE_CHECKING:
    from registry.company import Record

__all__ = [
    "MAX_RETRY_AFTER",
    "AttemptResult",
    "Dropped",
    "Failed",
    "Found",
    "Missing",
    "ObserveAttempt",
    "Outdated",
    "Skipped",
]

MAX_RETRY_AFTER = 86_400
"""The longest time (seconds) for which a provider's ``Retry-After`` is respected."""


@dataclass(frozen=True, slots=True)
class Found:
    """The provider has the company."""

    provider: Provider
    record: Record


@dataclass(frozen=True, slots=True)
class Outdated:
    """The provider has the company, but its data is older than the caller demands."""

    provider: Provider
    record: Record


@dataclass(frozen=True, slots=True)
class Missing:
    """The provider says that there is no such company; ``data_base`` is the day of its data."""

    provider: Provider
    data_base: date | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """An error, an invalid response or a time-out.

    ``retry_after``: seconds for which the provider asks not to be called.
    """

    provider: Provider
    retry_after: int | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """Not called (breaker, quota), or the provider does not take this kind of number: not a failure."""

    provider: Provider


@dataclass(frozen=True, slots=True)
class Dropped:
    """Still being asked when the request ended: neither an answer nor a failure."""

    provider: Provider


AttemptResult = Found | Outdated | Missing | Failed | Skipped | Dropped

ObserveAttempt = Callable[[str, str, float | None], None]
"""Told of each provider, what came of it (``found``, ``missing``, ``failed``, ``skipped``, or ``dropped``
where another one was quicker) and how many seconds it took; ``None`` where it was not asked. In any thread,
so it must be quick and not raise."""
