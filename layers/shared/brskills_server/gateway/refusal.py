"""The bytes of a problem that ends a connection, for requests of which no application gets to know."""

import time
import uuid

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from brskills_server import telemetry
from brskills_server.gateway.answer import problem
from brskills_server.gateway.log import log_call
from brskills_server.telemetry.figures import REFUSALS


def refusal(code: str) -> bytes:
    """Return the whole answer with a problem, which is counted and logged as a call."""
    request_id = str(uuid.uuid4())
    status, headers, body = problem(code, request_id)
    telemetry.count(REFUSALS, code)
    log_call("-", status, time.perf_counter(), request_id)
    lines = [f"{name}: {value}\r\n" for name, value in {**headers, "Content-Length": len(body)}.items()]
    return b"".join([STATUS_LINE[status], "".join(lines).encode(), b"\r\n", body])
