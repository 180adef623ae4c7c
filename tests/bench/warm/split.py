"""The parts of a call's processor time. Run as a process, it prints microseconds by part, as JSON.

It drives the gateway's application without a server and without threads, one call after the other, and then
its parts alone: the least of several rounds each. The rest of a call in the whole gateway is the server's
(uvicorn, h11, sockets), and the cost of threads and of concurrent calls.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tests.bench.warm.servers import KEY, PIX, ROOT, environment
from tests.services.scenarios import table

ROUNDS, CALLS = 15, 300
ROUTE = "/api/v1/skills/pix"


def split(whole: float) -> str:
    """Return the table for a call that takes ``whole`` milliseconds in the gateway."""
    command = [sys.executable, "-m", "tests.bench.warm.split"]
    settings = environment(STORE="instant", POWERTOOLS_LOG_LEVEL="WARNING")
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, check=True)
    took: dict[str, float] = json.loads(done.stdout)
    server = whole * 1000 - took["gateway"] - took["thread"]
    parts = {
        "the store": took["store"],
        "libraries: uvicorn, h11, sockets; what threads cost each other": server,
        "libraries: to a thread and back (asyncio, concurrent.futures)": took["thread"],
        "libraries: Powertools' Logger, below its level": took["Logger"],
        "libraries: a line of logging": took["line"],
        "ours: event, limits, route, authorizer's answer, headers": took["gateway"]
        - took["line"]
        - took["handler"],
        "ours: the function, encoder and ledger included": took["handler"] - took["Logger"] - took["store"],
    }
    rows = [[part, f"{spent:.0f}", f"{spent / whole / 10:.0f} %"] for part, spent in parts.items()]
    return table(["of a Pix code", "µs", ""], rows)


async def _measure() -> dict[str, float]:
    from tests.bench.warm import ours  # noqa: F401, makes the store known

    # isort: split
    from brskills_server.gateway.application import Gateway
    from brskills_server.gateway.event import build_event
    from brskills_server.gateway.log import log_call
    from brskills_server.gateway.template import load
    from brskills_server.gateway.thread_pool import ThreadPool
    from brskills_server.metering.ports import AccountCalls
    from functions.pix import app

    body = json.dumps(PIX, ensure_ascii=False).encode()
    gateway, threads, log = Gateway(load()), ThreadPool("nothing"), app.handler._logger
    gateway._threads["pix"] = _NoThreads()  # type: ignore[assignment]
    caller, _ = app.services.accounts.identify(KEY)
    event = build_event(_scope(len(body)), body, ROUTE, {}, "0" * 36)
    event["requestContext"]["authorizer"] = {"account": caller.account, "key": caller.key}
    facts = {"calls": 1, "failed": 0}

    async def receive() -> Mapping[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Mapping[str, Any]) -> None:
        assert message.get("status", 200) == 200, message

    def at_once(work: Callable[[], Any]) -> Callable[[], Awaitable[Any]]:
        async def run() -> None:
            work()

        return run

    reserve = app.services.store.reserve_calls
    wanted = AccountCalls(caller.account, caller.key, "2026-11", "2025-10", 0)
    parts: dict[str, Callable[[], Awaitable[Any]]] = {
        "gateway": lambda: gateway(_scope(len(body)), receive, send),
        "thread": lambda: threads.run(lambda: None),
        "handler": at_once(lambda: app.handler(event, None)),
        "Logger": at_once(lambda: log.info("call", route=ROUTE, status=200, code=None, request_id="0" * 36)),
        "line": at_once(lambda: log_call(f"POST {ROUTE}", 200, time.perf_counter(), "0" * 36, facts)),
        "store": at_once(lambda: reserve(wanted)),
    }
    took: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(ROUNDS):
        for name, part in parts.items():
            began = time.process_time()
            for _ in range(CALLS):
                await part()
            took[name].append((time.process_time() - began) / CALLS * 1e6)
    return {name: min(spent) for name, spent in took.items()}


class _NoThreads:
    async def run(self, work: Callable[[], Any]) -> Any:
        return work()


def _scope(length: int) -> dict[str, Any]:
    headers = {"host": "127.0.0.1", "user-agent": "bench", "accept": "application/json"}
    headers |= {"content-type": "application/json", "content-length": str(length), "x-api-key": KEY}
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": ROUTE,
        "raw_path": ROUTE.encode(),
        "query_string": b"",
        "client": ("127.0.0.1", 50_000),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }


def main() -> None:
    """Measure and print."""
    import logging.config

    from brskills_server.gateway.log import log_config

    logging.config.dictConfig(log_config("text"))
    took = asyncio.run(_measure())
    json.dump(took, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # its threads wait for nothing


if __name__ == "__main__":
    main()
