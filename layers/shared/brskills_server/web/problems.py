"""Problem details (RFC 9457) of errors, as JSON members for HTTP and MCP, and as HTTP responses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from brskills_server.accounts import errors
from brskills_server.accounts.account import DEMO
from brskills_server.metering.errors import IdempotencyKeyReused, QuotaExceeded, UncountedLimit
from brskills_server.metering.quota import Quota
from brskills_server.skills.errors import ApiError
from brskills_server.skills.issues import FieldIssue, shorten_name
from brskills_server.web.dates import day_in_words, month_in_words, wait_in_words
from brskills_server.web.problem_table import PROBLEMS, ProblemKind
from brskills_server.web.response import Response, json_response, rate_headers

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as its caller sees it; members as in ``brskills_server.skills.errors.ApiError``.

    A parameter may be a function that returns its text in ``pt`` or ``en``.
    """

    code: str
    wording: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    fields: Sequence[FieldIssue] = ()
    retry_after: int | None = None
    quota: Quota | None = None
    replayed: bool = False

    @property
    def status(self) -> int:
        """The HTTP status."""
        return PROBLEMS[self.code + self.wording].status

    @property
    def headers(self) -> dict[str, str]:
        """The rate headers of the month, if any, and ``Retry-After``."""
        wait = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return {**rate_headers(self.quota, replayed=self.replayed), **wait}


_PLAIN: dict[type, Problem] = {
    errors.InvalidToken: Problem("invalid_token"),
    errors.InvalidKey: Problem("invalid_api_key"),
    errors.DemoKey: Problem("demo_key"),
    errors.StoreUnavailable: Problem("store_unavailable", retry_after=2),
    errors.NothingSold: Problem("billing_unavailable"),
    errors.BillingUnavailable: Problem("billing_unavailable", retry_after=60),
    errors.InvalidSignature: Problem("invalid_signature"),
    errors.NotAnEvent: Problem("malformed_json", ":event"),
    IdempotencyKeyReused: Problem("idempotency_key_reused"),
}
"""Problems of errors, and of their subclasses, that need nothing of the error."""


def problem_of(error: Exception) -> Problem | None:
    """Return the problem for an error, or ``None`` for an unexpected one."""
    match error:
        case ApiError():
            return Problem(
                error.code, error.wording, error.parameters, error.details, error.fields,
                error.retry_after, error.quota, error.replayed,
            )  # fmt: skip
        case QuotaExceeded(quota=quota, calls=calls):
            month = {
                "limit": quota.limit,
                "month": partial(month_in_words, quota.month),
                "resets_at": partial(day_in_words, quota.resets_at),
                "calls": calls,
                "remaining": quota.remaining,
            }
            wording = ":batch" if calls > 1 and not quota.used_up else ":demo" if quota.plan == DEMO else ""
            return Problem("quota_exceeded", wording, month, retry_after=quota.seconds_left, quota=quota)
        case UncountedLimit(retry_after=seconds):
            wait = {"wait": partial(wait_in_words, seconds)}
            return Problem("uncounted_limit", parameters=wait, retry_after=seconds)
        case errors.SignupClosed(support_contact=support_contact):
            return Problem("signup_closed", parameters={"support_contact": support_contact})
        case errors.SignupLimit(retry_after=seconds, most=most, days=days):
            limit = {"most": most, "days": days, "wait": partial(wait_in_words, seconds)}
            return Problem("signup_limit", ":month" if days > 1 else "", limit, retry_after=seconds)
        case errors.UnconfirmedRotation(api_key=key):
            # No Retry-After: a repetition with the old key may get 401 and lose the new one.
            return Problem("store_unavailable", ":rotation", details={"api_key": key})
    return next((_PLAIN[kind] for kind in type(error).__mro__ if kind in _PLAIN), None)


def internal_error(support_contact: str = "") -> Problem:
    """Return the problem of an unexpected error. ``support_contact``: as in ``Settings``, may be empty."""
    wording = ":support" if support_contact else ""
    return Problem("internal_error", wording, {"support_contact": support_contact})


def content_of(problem: Problem, request_id: str, language: str) -> dict[str, Any]:
    """Return the members of the problem's JSON object, with texts in ``pt`` or ``en``."""
    text = PROBLEMS[problem.code + problem.wording].texts[language]
    parameters = {
        name: value(language) if callable(value) else value for name, value in problem.parameters.items()
    }
    content: dict[str, Any] = {
        "type": f"urn:brskills:problem:{problem.code}",
        "title": text.title,
        "status": problem.status,
        "detail": text.detail.format(**parameters),
        "code": problem.code,
        "request_id": request_id,
        **problem.details,
    }
    if problem.retry_after is not None:  # a tool's result and a batch's item have no headers
        content["retry_after"] = problem.retry_after
    if problem.fields:
        content["errors"] = [
            {"campo": shorten_name(issue.field), "code": issue.code, "detail": issue.detail(language)}
            for issue in problem.fields
        ]
    return content


def render(problem: Problem, request_id: str, language: str) -> Response:
    """Return the problem as an HTTP response, with texts in ``pt`` or ``en``."""
    response = json_response(problem.status, content_of(problem, request_id, language))
    response.headers = {
        "Content-Type": MEDIA_TYPE,
        "Content-Language": language,
        "Cache-Control": "no-store",
        "Vary": "Accept, Accept-Language",
        **problem.headers,
    }
    return response


def content_in_both_languages(code: str, kind: ProblemKind, request_id: str) -> dict[str, Any]:
    """Return the members of a problem that is rendered before a request's language is known."""
    pt, en = kind.texts["pt"], kind.texts["en"]
    return {
        "type": f"urn:brskills:problem:{code}",
        "title": f"{pt.title} / {en.title}",
        "status": kind.status,
        "detail": f"{pt.detail} / {en.detail}",
        "code": code,
        "request_id": request_id,
    }
