"""Answers that the gateway gives without a function, where the template has none."""

import json

from brskills_server.web.problem_table import PROBLEMS, UNREADABLE
from brskills_server.web.problems import content_in_both_languages
from brskills_server.web.response import EXPOSED_HEADERS

Answer = tuple[int, dict[str, str], bytes]
"""Status, headers, body."""


def problem(code: str, request_id: str) -> Answer:
    """Return a problem in both languages, like the template's gateway responses; it ends the connection."""
    kind = UNREADABLE.get(code) or PROBLEMS[code]
    content = content_in_both_languages(code, kind, request_id)
    headers = {
        "Content-Type": "application/problem+json",
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": EXPOSED_HEADERS,
        "Cache-Control": "no-store",
        "X-Request-Id": request_id,
        "Connection": "close",  # the rest of the request is not read
    }
    return kind.status, headers, json.dumps(content, ensure_ascii=False).encode()


def alive(request_id: str) -> Answer:
    """Return that this worker answers."""
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store", "X-Request-Id": request_id}
    return 200, headers, b'{"status": "alive"}'
