"""Attacks by connections: many at once, and large heads."""

import asyncio
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from lab.attacks.caller import LOST, Answer, in_threads
from lab.attacks.outcome import Check, Outcome
from lab.attacks.target import Context, Target
from tests.simulator import Simulator

CONNECTIONS = 4_000
MOST_WAIT, MOST_LINES_A_SECOND = 2.0, 4  # a line a second of each process, and those of the first one
PROBE_PAUSE = 0.2


def burst(context: Context) -> Iterator[Outcome]:
    """Many connections at once, idle ones and half heads, at a service that may open few files."""
    for files in (1_024, 200):
        outcome = Outcome("burst", f"{CONNECTIONS:,} idle connections and half heads, {files:,} descriptors")
        with Simulator() as providers, context.serving(providers, open_files=files) as target:
            before = _own_lines(target)
            with target.beside_others(outcome), _probing(target) as answers:
                asyncio.run(_burst(target.port, context.seconds))
            lines = _own_lines(target) - before
        longest = max(answer.seconds for answer in answers)
        lost = sum(answer.status == LOST for answer in answers)
        outcome.spent |= {"log lines but for calls": lines, "longest wait of new callers": longest}
        outcome.spent["new callers lost"] = lost
        outcome.checks += [
            Check("log lines a second but for calls", lines / context.seconds, most=MOST_LINES_A_SECOND),
            Check("longest wait of a new caller, seconds", round(longest, 1), most=MOST_WAIT),
            Check("new callers without an answer", lost, most=0),
        ]
        yield outcome


async def _burst(port: int, seconds: float) -> None:
    """Open the connections at once, send half a head over half, and hold them until the time has passed."""

    async def hold(sent: bytes) -> None:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(seconds):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    writer.write(sent)
                    await reader.read()
                finally:
                    writer.transport.abort()

    ends = time.monotonic() + seconds
    await asyncio.gather(*(hold(b"GET /" * (number % 2)) for number in range(CONNECTIONS)))
    await asyncio.sleep(max(0.0, ends - time.monotonic()))


def _own_lines(target: Target) -> int:
    """Count the lines of the log that are not those of calls."""
    found = 0
    for line in target.gateway.output.read_text().splitlines():
        is_call = False
        with suppress(ValueError):
            is_call = json.loads(line).get("message") == "call"
        found += not is_call
    return found


@contextmanager
def _probing(target: Target) -> Iterator[list[Answer]]:
    """Yield the answers that new callers, one after the other, get from the event loop itself."""
    answers: list[Answer] = []
    stopped = threading.Event()

    def run() -> None:
        while not stopped.wait(PROBE_PAUSE):
            caller = target.caller()
            answers.append(caller.get("/livez"))
            caller.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield answers
    finally:
        stopped.set()
        thread.join()


HEAD_BYTES, THREADS = 40_000, 4
MOST_MILLISECONDS = 5.0
_LINES = b"".join(b"a%d: b\r\n" % number for number in range(HEAD_BYTES // 9))[: HEAD_BYTES - 60]
HEAD = b"GET /livez HTTP/1.1\r\nHost: x\r\n" + _LINES[: _LINES.rfind(b"\r\n") + 2] + b"\r\n"


def large_heads(context: Context) -> Iterator[Outcome]:
    """Heads of 40 KB, each in one piece: the cost of reading them before their size is known."""
    outcome = Outcome("large_heads", f"heads of {len(HEAD) // 1000} KB over {THREADS} threads")
    seen: Counter[int] = Counter()
    with Simulator() as providers, context.serving(providers) as target:
        before = target.processor_seconds()
        _send_heads(target.port, seen, 2.0)
        alone, sent = target.processor_seconds() - before, seen.total()
        with target.beside_others(outcome):
            _send_heads(target.port, seen, context.seconds)
    cost = round(1000 * alone / max(1, sent), 2)
    outcome.spent |= {"heads": seen.total(), "milliseconds of a processor for one": cost}
    outcome.spent["answers"] = ", ".join(f"{times} × {status}" for status, times in seen.items())
    outcome.checks += [
        Check("milliseconds of a processor for one head", cost, most=MOST_MILLISECONDS),
        Check("heads that were served", seen[200], most=0),
    ]
    yield outcome


def _send_heads(port: int, seen: Counter[int], seconds: float) -> None:
    ends, lock = time.monotonic() + seconds, threading.Lock()

    def run() -> None:
        while time.monotonic() < ends:
            status = _status_of_head(port)
            with lock:
                seen[status] += 1

    in_threads(run, THREADS)


def _status_of_head(port: int) -> int:
    """Return the status of the answer; 0 if the connection ends without one."""
    with suppress(OSError, ValueError, IndexError), socket.create_connection(("127.0.0.1", port), 10) as one:
        one.settimeout(10)
        with suppress(OSError):
            one.sendall(HEAD)
        return int(one.recv(4096).split()[1])
    return 0
