"""What a custom skill raised, as callers get it: made anew of plain values, so that nothing of the package's is
read later, outside of its bounds.
"""

from itertools import islice
from typing import Any

from brskills_server.skills.errors import MOST_LISTED, ApiError, InvalidRequest
from brskills_server.skills.failures import SkillFailed
from brskills_server.skills.issues import FieldIssue

__all__ = ["LATE_SECONDS", "sanitize_error"]

LATE_SECONDS = 5
"""When it is worth while to ask again, where the skill does not say."""

_MOST_RETRY_SECONDS = 3600
_MOST_TEXT = 1000
_LANGUAGES = ("pt", "en")


def sanitize_error(error: BaseException, skill: str) -> Exception:
    """The refusal that an error of the ``skill``'s may be, or else ``SkillFailed``, which shows its place."""
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


def _plain(fault: Any) -> FieldIssue:
    texts = {language: _text(fault.detail(language)) for language in _LANGUAGES}
    return FieldIssue(_text(fault.field), _text(fault.code), texts)


def _text(value: object) -> str:
    return str(value)[:_MOST_TEXT].encode().decode()  # half a surrogate pair cannot be sent


def _unavailable(retry_after: object) -> ApiError:
    wait = int(retry_after) if isinstance(retry_after, int) else LATE_SECONDS
    wait = min(max(1, wait), _MOST_RETRY_SECONDS)
    return ApiError(
        "sources_unavailable", wording=":custom", parameters={"retry_after": wait}, retry_after=wait
    )
