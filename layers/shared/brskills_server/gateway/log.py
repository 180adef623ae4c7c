"""The gateway's log on standard error: a line for each call or event, as text or JSON, of no caller."""

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

_LOGGER = logging.getLogger("gateway")
_CONNECTIONS = logging.getLogger("gateway.connections")
_COUNTS = ("calls", "failed", "demo_calls", "demo_failed")


def log_call(
    route: str, status: int, started: float, request_id: str, fields: Mapping[str, int] = MappingProxyType({})
) -> None:
    """Log a call that began at ``started`` (``time.perf_counter``), with the ``fields`` of its function."""
    took = (time.perf_counter() - started) * 1000
    facts = {"route": route, "status": status, "ms": round(took, 1), "request_id": request_id, **fields}
    _LOGGER.info("call", extra={"facts": facts})


def log_failure(request_id: str, error: Exception) -> None:
    """Log an exception that a function did not handle."""
    _LOGGER.error("failure", exc_info=error, extra={"facts": {"request_id": request_id}})


def report(message: str, **facts: str | int) -> None:
    """Log an event of the gateway itself."""
    _LOGGER.info(message, extra={"facts": facts})


def report_connection_issue(message: str) -> None:
    """Log an event that connections cause; of each kind one a second is printed."""
    _CONNECTIONS.warning(message, stacklevel=2)  # a kind is identified by its place


def log_uncaught_errors() -> None:
    """Log each uncaught exception, for example of a thread of a custom skill, without its message."""

    def log(uncaught: threading.ExceptHookArgs | sys.UnraisableHookArgs) -> None:
        if uncaught.exc_type is not SystemExit:
            _LOGGER.error("stray error", exc_info=uncaught.exc_value)

    threading.excepthook = sys.unraisablehook = log
    logging.raiseExceptions = False  # a record that does not fit its arguments would be printed with them


def log_config(form: str) -> dict[str, Any]:
    """Return ``logging``'s configuration, which also formats the warnings of every library."""
    formatter = JsonLines if form == "json" else TextLines
    handler = {"class": "logging.StreamHandler", "formatter": "lines", "filters": ["one_per_second"]}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": f"{formatter.__module__}.{formatter.__name__}"}},
        "filters": {"one_per_second": {"()": f"{OnePerSecond.__module__}.{OnePerSecond.__name__}"}},
        "handlers": {"stderr": handler},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        # uvicorn warns of invalid HTTP, for which the gateway logs a call.
        "loggers": {"gateway": {"level": "INFO"}, "uvicorn.error": {"level": "ERROR"}},
    }


class TextLines(logging.Formatter):
    """``12:00:00 POST /api/v1/skills/pix 200 3 ms <request id> calls=1 failed=0``, or message and facts."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        now = time.strftime("%H:%M:%S", time.localtime(record.created))
        facts = getattr(record, "facts", {})
        if "route" in facts:
            line = f"{now} {facts['route']} {facts['status']} {facts['ms']:.0f} ms {facts['request_id']}"
            return " ".join([line, *(f"{name}={facts[name]}" for name in _COUNTS if name in facts)])
        line = " ".join([now, _message(record), *(f"{name}={value}" for name, value in facts.items())])
        error, where = _exception(record)
        return f"{line} {error} at {', '.join(where)}" if error else line


class JsonLines(logging.Formatter):
    """An object with ``time``, ``level``, ``message`` and facts."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
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
    """Return the message's first line: libraries quote exceptions in the others."""
    return next(iter(record.getMessage().splitlines()), "")


def _exception(record: logging.LogRecord) -> tuple[str, list[str]]:
    """Return the class of a record's exception and its places; empty without one."""
    kind, _, traceback = record.exc_info or (None, None, None)
    return (kind.__name__, places_of(traceback)) if kind else ("", [])
