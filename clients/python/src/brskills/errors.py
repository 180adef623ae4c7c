"""Exceptions of the client; no text of them has a key or the content of a call."""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

_PASSING = frozenset((500, 502, 503, 504))
_PASSING_CODES = frozenset(("throttled", "uncounted_limit"))


class BrskillsError(Exception):
    """``transient``: the same call may succeed later. ``retry_after``: in how many seconds, if known."""

    transient = False
    retry_after: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # By default an exception is unpickled from its text, which these constructors do not take.
        return _restore, (type(self), self.args), vars(self)


def _restore(kind: type[BrskillsError], args: tuple[Any, ...]) -> BrskillsError:
    return kind.__new__(kind, *args)


class ConfigurationError(BrskillsError):
    """The client's settings are invalid: nothing was sent."""


class ConnectionFailed(BrskillsError):
    """No answer: it is unknown whether the call was carried out. ``kind``: as ``ReadTimeout``."""

    transient = True

    def __init__(self, kind: str) -> None:
        super().__init__(f"the service does not answer ({kind})")
        self.kind = kind


class UnexpectedAnswer(BrskillsError):
    """An answer of another server, or of an incompatible release."""

    def __init__(self, status: int, reason: str, headers: Mapping[str, str]) -> None:
        super().__init__(f"HTTP {status}: {reason}")
        self.status = status
        self.retry_after = _seconds(headers.get("retry-after", ""))
        self.transient = status in _PASSING or status == 429  # the rate limit of a proxy


@dataclass(frozen=True, slots=True)
class FieldError:
    """An invalid field, by its public name; ``detail`` describes valid values."""

    field: str
    code: str
    detail: str


class ProblemError(BrskillsError):
    """A rejected call or a failure of the service (RFC 9457): a stable ``code``, and texts for people."""

    def __init__(self, members: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.members = members
        self.status = int(members["status"])
        self.code = str(members["code"])
        self.title = str(members["title"])
        self.detail = str(members["detail"])
        self.request_id: str | None = members.get("request_id")
        self.retry_after = _seconds(str(members.get("retry_after", headers.get("retry-after", ""))))
        self.transient = self.status in _PASSING or self.code in _PASSING_CODES
        super().__init__(f"{self.title}: {self.detail}")


class InvalidFields(ProblemError):
    """Invalid fields; ``errors`` has the first of ``errors_total``. Nothing was counted."""

    def __init__(self, members: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(members, headers)
        self.errors = tuple(
            FieldError(str(each["campo"]), str(each["code"]), str(each["detail"]))
            for each in members.get("errors", ())
        )
        self.errors_total = int(members.get("errors_total") or len(self.errors))
        listed = [f"{each.field}: {each.detail}" if each.field else each.detail for each in self.errors]
        rest = [f"… ({self.errors_total})"] if self.errors_total > len(listed) else []
        self.args = (" ".join([f"{self.title}:", *listed, *rest]),)


class InvalidKey(ProblemError):
    """The key is missing, unknown or revoked."""


class DemoKey(ProblemError):
    """The demo key is not allowed to do this."""


class WatchLimit(ProblemError):
    """The plan allows no further watched company."""


class WebhookLimit(ProblemError):
    """The account has as many webhooks as it may have."""


class IdempotencyKeyReused(ProblemError):
    """The ``Idempotency-Key`` belongs to another request of the last 24 hours."""


class CompanyNotFound(ProblemError):
    """``confirmed``: independent sources agree. Otherwise the number may be too new for them."""

    def __init__(self, members: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(members, headers)
        text = members.get("data_base")
        self.confirmed = bool(members["confirmado"])
        self.data_base: date | None = date.fromisoformat(text) if text else None


class QuotaExceeded(ProblemError):
    """The month's quota is used up. ``resets_at``: its end, if the answer has it."""

    def __init__(self, members: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(members, headers)
        reset = _number(headers.get("x-ratelimit-reset", ""))
        self.resets_at = None if reset is None else datetime.fromtimestamp(reset, UTC)


class SignupClosed(ProblemError):
    """Self-service sign-up is disabled; ``detail`` names the contact."""


class SignupLimit(ProblemError):
    """Too many keys were created from this address or e-mail."""


class Throttled(ProblemError):
    """Too many calls a second."""


class UncountedLimit(ProblemError):
    """The allowance of requests that are not counted is used up, for a minute or for the month."""


class SourcesUnavailable(ProblemError):
    """No source of the register can answer now; nothing was counted."""


class CopyUnavailable(ProblemError):
    """The service has no copy of the register, or it does not answer; nothing was counted."""


class CursorExpired(ProblemError):
    """A newer copy of the register has replaced the cursor's: start the search again."""


_CLASSES: Mapping[str, type[ProblemError]] = {
    "invalid_fields": InvalidFields,
    "missing_api_key": InvalidKey,
    "invalid_api_key": InvalidKey,
    "demo_key": DemoKey,
    "watch_limit": WatchLimit,
    "webhook_limit": WebhookLimit,
    "idempotency_key_reused": IdempotencyKeyReused,
    "company_not_found": CompanyNotFound,
    "quota_exceeded": QuotaExceeded,
    "signup_closed": SignupClosed,
    "signup_limit": SignupLimit,
    "throttled": Throttled,
    "uncounted_limit": UncountedLimit,
    "sources_unavailable": SourcesUnavailable,
    "copy_unavailable": CopyUnavailable,
    "cursor_expired": CursorExpired,
}


def problem(members: Any, status: int, headers: Mapping[str, str]) -> ProblemError | UnexpectedAnswer:
    """Return the exception of a problem's members. ``headers``: names in lower case."""
    try:
        return _CLASSES.get(members["code"], ProblemError)(members, headers)
    except (KeyError, TypeError, ValueError):
        return UnexpectedAnswer(status, "not a problem as described", headers)


def _seconds(text: str) -> int | None:
    """Return the seconds of ``Retry-After``, a number or a date; ``None`` if it is neither."""
    if text.isdecimal():
        return _number(text)
    from email.utils import parsedate_to_datetime  # slow to load, and only proxies send dates

    try:
        return max(0, math.ceil(parsedate_to_datetime(text).timestamp() - time.time()))
    except (OverflowError, ValueError):
        return None


def _number(text: str) -> int | None:
    """Return a number of at most ten digits, or ``None``."""
    return int(text) if text.isdecimal() and len(text) <= 10 else None
