"""What the gateway answers by itself where the template has no answer for it."""

import json

from brskills_server.web.problem_table import PROBLEMS, UNREADABLE
from brskills_server.web.problems import content_in_both_languages
from brskills_server.web.response import EXPOSED_HEADERS

__all__ = ["Answer", "alive", "problem"]

Answer = tuple[int, dict[str, str], bytes]
"""Status, headers, body."""


def problem(code: str, request_id: str) -> Answer:
    """A problem in both languages, as the template's gateway responses are; it ends the connection."""
    kind = UNREADABLE.get(code) or PROBLEMS[code]
    content = content_in_both_languages(code, kind, request_id)
    headers = {
        "Content-Type": "application/problem+json",
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": EXPOSED_HEADERS,
        "Cache-Control": "no-store",
        "X-Request-Id": request_id,
        "Connection": "close",  # what else the client may be sending is not read
    }
    return kind.status, headers, json.dumps(content, ensure_ascii=False).encode()


def alive(request_id: str) -> Answer:
    """That this worker answers, whatever becomes of the store."""
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store", "X-Request-Id": request_id}
    return 200, headers, b'{"status": "alive"}'
