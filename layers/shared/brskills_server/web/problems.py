"""Problem details (RFC 9457): the one place where errors become answers.

``problem_of`` maps an error to a problem, ``content_of`` renders it as JSON members in a language, ``render``
as an HTTP response. MCP returns the same members as a tool's result.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from brskills_server.accounts.account import DEMO
from brskills_server.accounts.errors import (
    BillingUnavailable,
    DemoKey,
    InvalidKey,
    InvalidSignature,
    InvalidToken,
    NotAnEvent,
    SignupClosed,
    SignupLimit,
    StoreUnavailable,
    UnconfirmedRotation,
)
from brskills_server.metering.errors import IdempotencyKeyReused, QuotaExceeded, UncountedLimit
from brskills_server.metering.quota import Quota
from brskills_server.skills.errors import ApiError
from brskills_server.skills.issues import FieldIssue, shorten_name
from brskills_server.web.dates import day_in_words, month_in_words, wait_in_words
from brskills_server.web.problem_table import PROBLEMS, ProblemKind
from brskills_server.web.response import Response, rate_headers

MEDIA_TYPE = "application/problem+json"
_STORE_SECONDS, _BILLING_SECONDS = 2, 60  # Retry-After


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


def problem_of(error: Exception) -> Problem | None:
    """Return the problem for an error, or ``None`` for an unexpected one."""
    match error:
        case ApiError():
            return Problem(
                error.code,
                error.wording,
                error.parameters,
                error.details,
                error.fields,
                error.retry_after,
                error.quota,
                error.replayed,
            )
        case InvalidToken():
            return Problem("invalid_token")
        case InvalidKey():
            return Problem("invalid_api_key")
        case DemoKey():
            return Problem("demo_key")
        case IdempotencyKeyReused():
            return Problem("idempotency_key_reused")
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
        case SignupClosed(support_contact=support_contact):
            return Problem("signup_closed", parameters={"support_contact": support_contact})
        case SignupLimit(retry_after=seconds, most=most, days=days):
            limit = {"most": most, "days": days, "wait": partial(wait_in_words, seconds)}
            wording = ":month" if days > 1 else ""
            return Problem("signup_limit", wording, parameters=limit, retry_after=seconds)
        case UnconfirmedRotation(api_key=key):
            # No Retry-After: a repetition with the old key may get 401 and lose the new one.
            return Problem("store_unavailable", ":rotation", details={"api_key": key})
        case StoreUnavailable():
            return Problem("store_unavailable", retry_after=_STORE_SECONDS)
        case BillingUnavailable():
            return Problem("billing_unavailable", retry_after=_BILLING_SECONDS)
        case InvalidSignature():
            return Problem("invalid_signature")
        case NotAnEvent():
            return Problem("malformed_json", ":event")
    return None


def internal_error(support_contact: str = "") -> Problem:
    """Return the problem of an unexpected error. ``support_contact``: as in ``Settings``, may be empty."""
    if not support_contact:
        return Problem("internal_error")
    return Problem("internal_error", ":support", {"support_contact": support_contact})


def content_of(problem: Problem, request_id: str, language: str) -> dict[str, Any]:
    """Return the members of the problem's JSON object, with texts in ``pt`` or ``en``."""
    text = PROBLEMS[problem.code + problem.wording].texts[language]
    content: dict[str, Any] = {
        "type": f"urn:brskills:problem:{problem.code}",
        "title": text.title,
        "status": problem.status,
        "detail": text.detail.format(**_rendered(problem.parameters, language)),
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


def _rendered(parameters: Mapping[str, Any], language: str) -> dict[str, Any]:
    return {name: value(language) if callable(value) else value for name, value in parameters.items()}


def render(problem: Problem, request_id: str, language: str) -> Response:
    """Return the problem as an HTTP response, with texts in ``pt`` or ``en``."""
    content = content_of(problem, request_id, language)
    headers = {
        "Content-Type": MEDIA_TYPE,
        "Content-Language": language,
        "Cache-Control": "no-store",
        "Vary": "Accept, Accept-Language",
        **problem.headers,
    }
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return Response(problem.status, body, headers)


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
