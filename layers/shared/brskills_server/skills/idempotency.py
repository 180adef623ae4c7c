"""The ``Idempotency-Key``: its form, and which requests under it are the same."""

import json
import re
from typing import Any

from brskills_server.skills.errors import ApiError
from brskills_server.skills.issues import FieldIssue, issue

HEADER = "Idempotency-Key"

_FORM = re.compile(r"[\x21-\x7e]{1,255}")


def key_issues(key: str | None) -> tuple[FieldIssue, ...]:
    """Return what is wrong with a key; nothing is wrong with no key, but with an empty one."""
    if key is None or _FORM.fullmatch(key):
        return ()
    return (issue(HEADER, "invalid_form", expected="[!-~]{1,255}"),)


def fingerprint(skill: str, content: dict[str, Any]) -> bytes:
    """Return equal bytes for equal requests to a skill, whatever the order of their fields.

    Raise ``ApiError`` ``malformed_json`` for an item of a batch that is nested too deeply to be written: the
    writer has less of the stack left than the reader had.

    >>> fingerprint("pix", {"a": 1, "b": None}) == fingerprint("pix", {"b": None, "a": 1})
    True
    """
    # The number 1.50 differs from the text "1.50".
    try:
        return json.dumps([skill, content], sort_keys=True, default=repr).encode()
    except RecursionError:
        raise ApiError("malformed_json", parameters={"reason": "…[[[[…"}) from None
