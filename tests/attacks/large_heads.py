"""Heads of 40 KB, each in one piece: what reading them costs before their size is known."""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context
from tests.simulator import Simulator

HEAD_BYTES, THREADS = 40_000, 4
MOST_MILLISECONDS = 5.0
_LINES = b"".join(b"a%d: b\r\n" % number for number in range(HEAD_BYTES // 9))[: HEAD_BYTES - 60]
HEAD = b"GET /livez HTTP/1.1\r\nHost: x\r\n" + _LINES[: _LINES.rfind(b"\r\n") + 2] + b"\r\n"


def attack(context: Context) -> Iterator[Outcome]:
    outcome = Outcome("large_heads", f"heads of {len(HEAD) // 1000} KB over {THREADS} threads")
    seen: Counter[int] = Counter()
    with Simulator() as providers, context.serving(providers) as target:
        before = target.processor_seconds()
        _send(target.port, seen, 2.0)
        alone, sent = target.processor_seconds() - before, seen.total()
        with target.beside_others(outcome):
            _send(target.port, seen, context.seconds)
    cost = round(1000 * alone / max(1, sent), 2)
    outcome.spent |= {"heads": seen.total(), "milliseconds of a processor for one": cost}
    outcome.spent["answers"] = ", ".join(f"{times} × {status}" for status, times in seen.items())
    outcome.checks += [
        Check("milliseconds of a processor for one head", cost, most=MOST_MILLISECONDS),
        Check("heads that were served", seen[200], most=0),
    ]
    yield outcome


def _send(port: int, seen: Counter[int], seconds: float) -> None:
    ends, lock = time.monotonic() + seconds, threading.Lock()

    def run() -> None:
        while time.monotonic() < ends:
            status = _status_of_one(port)
            with lock:
                seen[status] += 1

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _status_of_one(port: int) -> int:
    """The status that a head is answered; 0 where the connection ends without one."""
    with suppress(OSError, ValueError, IndexError), socket.create_connection(("127.0.0.1", port), 10) as one:
        one.settimeout(10)
        with suppress(OSError):
            one.sendall(HEAD)
        return int(one.recv(4096).split()[1])
    return 0
