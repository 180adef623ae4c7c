"""What a call can end with in place of its answer.

BrskillsError             all of them
├── ConfigurationError    no key, or an address that cannot be one: nothing was sent
├── ConnectionFailed      nobody answered, or not in time
├── UnexpectedAnswer      what answered is not the service as described
└── ProblemError          the service refused or failed, and says why (RFC 9457)
    ├── InvalidFields     the faulty fields are in ``errors``
    ├── InvalidKey, DemoKey, IdempotencyKeyReused
    ├── CompanyNotFound   ``confirmed`` says whether independent sources agree
    ├── QuotaExceeded     ``resets_at`` says when the month ends
    ├── SignupClosed          the operator alone gives keys
    ├── SignupLimit, Throttled
    └── SourcesUnavailable

The texts of a problem are the service's, in the client's language. None carries a key or what was asked for.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

__all__ = [
    "BrskillsError",
    "CompanyNotFound",
    "ConfigurationError",
    "ConnectionFailed",
    "DemoKey",
    "FieldError",
    "IdempotencyKeyReused",
    "InvalidFields",
    "InvalidKey",
    "ProblemError",
    "QuotaExceeded",
    "SignupClosed",
    "SignupLimit",
    "SourcesUnavailable",
    "Throttled",
    "UnexpectedAnswer",
]

_PASSING = frozenset((500, 502, 503, 504))


class BrskillsError(Exception):
    """``transient``: the same call may be answered later. ``retry_after``: in so many seconds, if known."""

    transient = False
    retry_after: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are made again of their text, which here is not what they are made of.
        return _again, (type(self), self.args), vars(self)


def _again(kind: type[BrskillsError], args: tuple[Any, ...]) -> BrskillsError:
    return kind.__new__(kind, *args)


class ConfigurationError(BrskillsError):
    """The client cannot be used as it is set up."""


class ConnectionFailed(BrskillsError):
    """No answer: the call may or may not have been carried out. ``kind``: as ``ReadTimeout``."""

    transient = True

    def __init__(self, kind: str) -> None:
        super().__init__(f"the service does not answer ({kind})")
        self.kind = kind


class UnexpectedAnswer(BrskillsError):
    """An answer that the service does not give: another server's, or a later release's."""

    def __init__(self, status: int, reason: str, headers: Mapping[str, str]) -> None:
        super().__init__(f"HTTP {status}: {reason}")
        self.status = status
        self.retry_after = _seconds(headers.get("retry-after", ""))
        self.transient = status in _PASSING or status == 429  # a proxy's own throttle


@dataclass(frozen=True, slots=True)
class FieldError:
    """One faulty field, by its public name; ``detail`` says what would be right."""

    field: str
    code: str
    detail: str


class ProblemError(BrskillsError):
    """``code`` never changes, ``title`` and ``detail`` are for people. ``members``: the whole problem."""

    def __init__(self, members: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.members = members
        self.status = int(members["status"])
        self.code = str(members["code"])
        self.title = str(members["title"])
        self.detail = str(members["detail"])
        self.request_id: str | None = members.get("request_id")
        self.retry_after = _seconds(str(members.get("retry_after", headers.get("retry-after", ""))))
        self.transient = self.status in _PASSING
        super().__init__(f"{self.title}: {self.detail}")


class InvalidFields(ProblemError):
    """The request is wrong; ``errors`` has the first of ``errors_total`` faulty fields. Nothing counted."""

    def __init__(self, members: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(members, headers)
        self.errors = tuple(
            FieldError(str(each["campo"]), str(each["code"]), str(each["detail"]))
            for each in members.get("errors", ())
        )
        self.errors_total = int(members.get("errors_total") or len(self.errors))
        listed = [f"{each.field}: {each.detail}" for each in self.errors]
        rest = [f"… ({self.errors_total})"] if self.errors_total > len(listed) else []
        self.args = (" ".join([f"{self.title}:", *listed, *rest]),)


class InvalidKey(ProblemError):
    """The key is missing, unknown, or was revoked."""


class DemoKey(ProblemError):
    """The public key may not do this."""


class IdempotencyKeyReused(ProblemError):
    """The ``Idempotency-Key`` came with another request in the last 24 hours."""


class CompanyNotFound(ProblemError):
    """``confirmed``: independent sources agree. Else the number may be too new for those that answered."""

    def __init__(self, members: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(members, headers)
        text = members.get("data_base")
        self.confirmed = bool(members["confirmado"])
        self.data_base: date | None = date.fromisoformat(text) if text else None


class QuotaExceeded(ProblemError):
    """The month has no room. ``resets_at``: when it ends; ``None`` where the answer lacks it."""

    def __init__(self, members: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(members, headers)
        reset = _number(headers.get("x-ratelimit-reset", ""))
        self.resets_at = None if reset is None else datetime.fromtimestamp(reset, UTC)


class SignupClosed(ProblemError):
    """Nobody gets a key by themselves: ``detail`` says whom to ask."""


class SignupLimit(ProblemError):
    """This address or e-mail has had its keys."""


class Throttled(ProblemError):
    """Too many calls a second."""

    def __init__(self, members: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(members, headers)
        self.transient = True


class SourcesUnavailable(ProblemError):
    """No source of the registry answered as asked; nothing was counted."""


_CLASSES: Mapping[str, type[ProblemError]] = {
    "invalid_fields": InvalidFields,
    "missing_api_key": InvalidKey,
    "invalid_api_key": InvalidKey,
    "demo_key": DemoKey,
    "idempotency_key_reused": IdempotencyKeyReused,
    "company_not_found": CompanyNotFound,
    "quota_exceeded": QuotaExceeded,
    "signup_closed": SignupClosed,
    "signup_limit": SignupLimit,
    "throttled": Throttled,
    "sources_unavailable": SourcesUnavailable,
}


def problem(members: Any, status: int, headers: Mapping[str, str]) -> ProblemError | UnexpectedAnswer:
    """Return the error of a problem's members; ``headers`` have lower-case names."""
    try:
        return _CLASSES.get(members["code"], ProblemError)(members, headers)
    except (KeyError, TypeError, ValueError):
        return UnexpectedAnswer(status, "not a problem as described", headers)


def _seconds(text: str) -> int | None:
    """What ``Retry-After`` asks for, in seconds or by a date; ``None`` where it says neither."""
    if text.isdecimal():
        return _number(text)
    from email.utils import parsedate_to_datetime  # loads much, and proxies alone send dates

    try:
        return max(0, math.ceil(parsedate_to_datetime(text).timestamp() - time.time()))
    except (OverflowError, ValueError):
        return None


def _number(text: str) -> int | None:
    """A number that can be seconds of this era, or ``None``."""
    return int(text) if text.isdecimal() and len(text) <= 10 else None
