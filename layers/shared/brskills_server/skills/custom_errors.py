"""Errors of custom skills: those that the operator's log shows, and the copies that callers get."""

from itertools import islice
from typing import Any

from brskills_server.skills.errors import MOST_LISTED, ApiError, InvalidRequest
from brskills_server.skills.issues import FieldIssue

LATE_SECONDS = 5
"""Seconds after which to retry if the skill names none."""

_MOST_RETRY_SECONDS = 3600
_MOST_TEXT = 1000
_LANGUAGES = ("pt", "en")


class FaultySkills(ValueError):
    """Invalid declarations of custom skills; the message lists every fault in one line."""


class SkillFailed(Exception):
    """Unexpected error or invalid answer of a custom skill; the message names skill and class alone."""


def sanitize_error(error: BaseException, skill: str) -> Exception:
    """Return a copy of a skill's ``ApiError`` in plain values, or ``SkillFailed`` with the error's traceback.

    Nothing of the package's own objects is read later, outside of the bulkhead.
    """
    try:
        if isinstance(error, InvalidRequest) and error.fields:
            listed = map(_plain, islice(error.fields, MOST_LISTED))
            return InvalidRequest(*listed, unlisted=max(0, int(error.unlisted)))
        if isinstance(error, ApiError) and error.code == "sources_unavailable":
            return _unavailable(error.retry_after)
    except BaseException as worse:
        error = worse
    failed = SkillFailed(f"{skill}: {type(error).__name__}")
    return failed.with_traceback(error.__traceback__)


def _plain(issue: Any) -> FieldIssue:
    texts = {language: _text(issue.detail(language)) for language in _LANGUAGES}
    return FieldIssue(_text(issue.field), _text(issue.code), texts)


def _text(value: object) -> str:
    return str(value)[:_MOST_TEXT].encode().decode()  # a lone surrogate cannot be sent


def _unavailable(retry_after: object) -> ApiError:
    seconds = int(retry_after) if isinstance(retry_after, int) else LATE_SECONDS
    seconds = min(max(1, seconds), _MOST_RETRY_SECONDS)
    parameters = {"retry_after": seconds}
    return ApiError("sources_unavailable", wording=":custom", parameters=parameters, retry_after=seconds)
