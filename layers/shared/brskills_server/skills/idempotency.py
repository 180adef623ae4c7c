"""Requests sent again under an ``Idempotency-Key``: what a key may be, and which requests are the same."""

import json
import re
from typing import Any

from brskills_server.skills.errors import ApiError
from brskills_server.skills.issues import FieldIssue, issue

__all__ = ["HEADER", "key_issues", "fingerprint"]

HEADER = "Idempotency-Key"

_FORM = re.compile(r"[\x21-\x7e]{1,255}")


def key_issues(key: str | None) -> tuple[FieldIssue, ...]:
    """What is wrong with a key; nothing with one that is not there. An empty one is a slip."""
    if key is None or _FORM.fullmatch(key):
        return ()
    return (issue(HEADER, "invalid_form", expected="[!-~]{1,255}"),)


def fingerprint(skill: str, content: dict[str, Any]) -> bytes:
    """The same for the same request to a skill, whatever the order of its fields.

    Raises ``ApiError`` ``malformed_json``: an item of a batch may be nested almost too deeply to be read, and
    be so for the writer, who has less of the stack left.

    >>> fingerprint("pix", {"a": 1, "b": None}) == fingerprint("pix", {"b": None, "a": 1})
    True
    """
    # A number and the text of its digits are two things: 1.50 is not "1.50".
    try:
        return json.dumps([skill, content], sort_keys=True, default=repr).encode()
    except RecursionError:
        raise ApiError("malformed_json", parameters={"reason": "…[[[[…"}) from None
