"""The results of an attempt to get a company from one provider."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

from brskills_server.registry.providers.provider import Provider

if TYPE_CHECKING:  # pydantic costs 0.3 of the floor of a cold start
    from brskills_server.registry.company import Record

MAX_RETRY_AFTER = 86_400
"""The longest ``Retry-After`` of a provider that is respected, in seconds."""


class Found(NamedTuple):
    """The provider has the company."""

    provider: Provider
    record: Record


class Outdated(NamedTuple):
    """The provider has the company, but its data is older than required."""

    provider: Provider
    record: Record


class Missing(NamedTuple):
    """The provider lacks the company; ``data_base`` is the day of its data."""

    provider: Provider
    data_base: date | None = None


class Failed(NamedTuple):
    """The provider cannot be reached, or refuses calls for every number.

    ``retry_after``: seconds for which it refuses them.
    """

    provider: Provider
    retry_after: int | None = None


class Rejected(NamedTuple):
    """No usable answer for this number: an error, a record that cannot be read, a time-out, or too slow.

    ``unusable``: a whole answer came and is not a record, so that the next one is unlikely to be.
    """

    provider: Provider
    unusable: bool = False


class Skipped(NamedTuple):
    """Not called (breaker, rate limit), or not for this number, or denying it unbelieved: not a failure.

    ``number``: ``unfit`` where the provider does not take this kind of number, ``rejected`` where its answer
    for it was rejected within the last minute; else empty.
    """

    provider: Provider
    number: Literal["", "unfit", "rejected"] = ""


class Dropped(NamedTuple):
    """Unfinished when the look-up ended: neither an answer nor a failure."""

    provider: Provider


AttemptResult = Found | Outdated | Missing | Failed | Rejected | Skipped | Dropped

ObserveAttempt = Callable[[str, str, float | None], None]
"""Called in any thread with the provider's id, the outcome (``found``, ``missing``, ``failed``, ``rejected``,
``skipped``, ``dropped``) and its seconds, ``None`` without a call. It must be quick and not raise."""
