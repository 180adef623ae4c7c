"""What the gateway answers by itself where the template has no answer for it, and what it prints."""

import contextlib
import json
import sys
import time

from web.problem_table import PROBLEMS, UNREADABLE
from web.response import EXPOSED_HEADERS

__all__ = ["Answer", "problem", "report", "report_failure"]

Answer = tuple[int, dict[str, str], bytes]
"""Status, headers, body."""


def problem(code: str, request_id: str) -> Answer:
    """A problem in both languages, as the template's gateway responses are; it ends the connection."""
    kind = UNREADABLE.get(code) or PROBLEMS[code]
    pt, en = kind.texts["pt"], kind.texts["en"]
    content = {
        "type": f"urn:brskills:problem:{code}",
        "title": f"{pt.title} / {en.title}",
        "status": kind.status,
        "detail": f"{pt.detail} / {en.detail}",
        "code": code,
        "request_id": request_id,
    }
    headers = {
        "Content-Type": "application/problem+json",
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": EXPOSED_HEADERS,
        "Cache-Control": "no-store",
        "X-Request-Id": request_id,
        "Connection": "close",  # what else the client may be sending is not read
    }
    return kind.status, headers, json.dumps(content, ensure_ascii=False).encode()


def report(call: str, status: int, started: float, request_id: str) -> None:
    """Print one line for a call begun at ``started`` (``time.perf_counter``), with nothing of its caller."""
    took = (time.perf_counter() - started) * 1000
    _print(f"{time.strftime('%H:%M:%S')} {call} {status} {took:.0f} ms {request_id}")


def report_failure(request_id: str, error: Exception) -> None:
    """Print the exception's class, without its message, which may quote the caller."""
    _print(f"{request_id} ended in {type(error).__name__}")


def _print(line: str) -> None:
    # In one piece: ``print`` writes the line's end by itself, and another thread's line may come between. A
    # disk that is full, or a terminal that is gone, costs nobody an answer.
    with contextlib.suppress(OSError):
        sys.stderr.write(line + "\n")
