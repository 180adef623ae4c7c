"""What the gateway prints, to standard error: a line for each call, and one for whatever else happens.

A line is text, or with ``LOG_FORMAT=json`` an object. Of a caller there is nothing in it: a call is named by
its route, an exception by its class and place, for its message may quote a request.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from brskills_server.gateway.log_limit import OnePerSecond
from brskills_server.web.places import places_of

__all__ = [
    "JsonLines",
    "TextLines",
    "log_config",
    "report",
    "report_call",
    "report_connection_trouble",
    "report_failure",
    "report_stray_errors",
]

_LOGGER = logging.getLogger("gateway")
_CONNECTIONS = logging.getLogger("gateway.connections")
_COUNTS = ("calls", "failed", "demo_calls", "demo_failed")


def report_call(
    route: str, status: int, started: float, request_id: str, told: Mapping[str, int] = MappingProxyType({})
) -> None:
    """A line for a call begun at ``started`` (``time.perf_counter``); ``told``: what its function adds."""
    took = (time.perf_counter() - started) * 1000
    facts = {"route": route, "status": status, "ms": round(took, 1), "request_id": request_id, **told}
    _LOGGER.info("call", extra={"facts": facts})


def report_failure(request_id: str, error: Exception) -> None:
    """A line for what no function should have raised."""
    _LOGGER.error("failure", exc_info=error, extra={"facts": {"request_id": request_id}})


def report(message: str, **facts: str | int) -> None:
    """A line for what happens to the gateway itself."""
    _LOGGER.info(message, extra={"facts": facts})


def report_connection_trouble(message: str) -> None:
    """Log trouble that connections cause; of each kind one line a second is printed."""
    _CONNECTIONS.warning(message, stacklevel=2)  # a kind is known by its place


def report_stray_errors() -> None:
    """From now on a line for each error that nobody catches, as in a thread that a custom skill started.

    Python prints it with its message, and a line of a log that does not fit its arguments with these.
    """

    def tell(stray: threading.ExceptHookArgs | sys.UnraisableHookArgs) -> None:
        if stray.exc_type is not SystemExit:
            _LOGGER.error("stray error", exc_info=stray.exc_value)

    threading.excepthook = sys.unraisablehook = tell
    logging.raiseExceptions = False


def log_config(form: str) -> dict[str, Any]:
    """``logging``'s configuration for a process of the gateway: every library's warnings, in our form."""
    formatter = JsonLines if form == "json" else TextLines
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": f"{formatter.__module__}.{formatter.__name__}"}},
        "filters": {"one_per_second": {"()": f"{OnePerSecond.__module__}.{OnePerSecond.__name__}"}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "filters": ["one_per_second"],
            }
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        # uvicorn warns of what is not HTTP; the gateway has a line of its own for that.
        "loggers": {"gateway": {"level": "INFO"}, "uvicorn.error": {"level": "ERROR"}},
    }


class TextLines(logging.Formatter):
    """``12:00:00 POST /api/v1/skills/pix 200 3 ms <request id> calls=1 failed=0``; else message and facts."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        now = time.strftime("%H:%M:%S", time.localtime(record.created))
        facts = getattr(record, "facts", {})
        if "route" in facts:
            line = f"{now} {facts['route']} {facts['status']} {facts['ms']:.0f} ms {facts['request_id']}"
            told = [f"{name}={facts[name]}" for name in _COUNTS if name in facts]
            return " ".join([line, *told])
        said = " ".join([_message(record), *(f"{name}={value}" for name, value in facts.items())])
        error, where = _exception(record)
        return f"{now} {said} {error} at {', '.join(where)}" if error else f"{now} {said}"


class JsonLines(logging.Formatter):
    """An object: ``time``, ``level``, ``message``, and what else is known."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        now = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        content: dict[str, Any] = {
            "time": now.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "message": _message(record),
            **getattr(record, "facts", {}),
        }
        error, where = _exception(record)
        if error:
            content |= {"error": error, "where": where}
        return json.dumps(content, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    """Its first line: what libraries write below it may quote an exception."""
    return next(iter(record.getMessage().splitlines()), "")


def _exception(record: logging.LogRecord) -> tuple[str, list[str]]:
    """The class of a record's exception, and where it came from; empty without one."""
    kind, _, came_by = record.exc_info or (None, None, None)
    return (kind.__name__, places_of(came_by)) if kind else ("", [])
