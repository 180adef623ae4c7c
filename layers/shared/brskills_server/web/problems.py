"""Problem details (RFC 9457): the one place where refusals and failures become answers.

``problem_of`` decides what an error is to a caller, ``content_of`` puts it into words, ``render`` makes it an
HTTP answer; MCP shows the same content as a tool's result.
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
from brskills_server.runtime.services import open_services
from brskills_server.skills.errors import ApiError
from brskills_server.skills.issues import FieldIssue, shorten_name
from brskills_server.web.dates import day_in_words, month_in_words, wait_in_words
from brskills_server.web.problem_table import PROBLEMS
from brskills_server.web.response import Response, rate_headers

__all__ = ["Problem", "content_of", "internal_error", "problem_of", "render"]

MEDIA_TYPE = "application/problem+json"
_STORE_SECONDS, _BILLING_SECONDS = 2, 60  # when it is worth while to ask again


@dataclass(frozen=True, slots=True)
class Problem:
    """What goes wrong, as a caller is told; members as in ``brskills_server.skills.errors.ApiError``.

    A parameter that is a function gives its words in ``pt`` or ``en``.
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
        """The month, where it has to do with the problem, and when to repeat."""
        wait = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return {**rate_headers(self.quota, replayed=self.replayed), **wait}


def problem_of(error: Exception) -> Problem | None:
    """The problem to answer with, or ``None`` for an error that nobody foresaw."""
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
            # No Retry-After: who repeats it with the old key may get 401, and lose the new one.
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


def internal_error() -> Problem:
    """The problem that an error is which nobody foresaw, with whom to tell of it, if anybody is named."""
    support_contact = open_services().settings.support_contact
    if not support_contact:
        return Problem("internal_error")
    return Problem("internal_error", ":whom", {"support_contact": support_contact})


def content_of(problem: Problem, request_id: str, language: str) -> dict[str, Any]:
    """The members of the problem's JSON object, with texts in ``pt`` or ``en``."""
    text = PROBLEMS[problem.code + problem.wording].texts[language]
    content: dict[str, Any] = {
        "type": f"urn:brskills:problem:{problem.code}",
        "title": text.title,
        "status": problem.status,
        "detail": text.detail.format(**_in_words(problem.parameters, language)),
        "code": problem.code,
        "request_id": request_id,
        **problem.details,
    }
    if problem.retry_after is not None:  # a tool's result and a batch's item have no headers
        content["retry_after"] = problem.retry_after
    if problem.fields:
        content["errors"] = [
            {"campo": shorten_name(fault.field), "code": fault.code, "detail": fault.detail(language)}
            for fault in problem.fields
        ]
    return content


def _in_words(parameters: Mapping[str, Any], language: str) -> dict[str, Any]:
    return {name: value(language) if callable(value) else value for name, value in parameters.items()}


def render(problem: Problem, request_id: str, language: str) -> Response:
    """The answer that tells a caller of a problem, in their language."""
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
