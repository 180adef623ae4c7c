"""Three thousand connections at once, at a service that may open few files."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

from tests.attacks.caller import LOST
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context, Target
from tests.simulator import Simulator

CONNECTIONS = 3_000
LIMITS = (1_024, 200)
MOST_WAIT, MOST_LINES_A_SECOND = 2.0, 4  # a line a second of each process, and those of the first one
PROBE_PAUSE = 0.2


def attack(context: Context) -> Iterator[Outcome]:
    for files in LIMITS:
        outcome = Outcome("burst", f"{CONNECTIONS:,} connections at once, {files:,} descriptors")
        with Simulator() as providers, context.serving(providers, open_files=files) as target:
            probe = _Probe(target)
            before = _own_lines(target)
            with target.beside_others(outcome), probe:
                asyncio.run(_burst(target.port, context.seconds))
            lines = _own_lines(target) - before
        outcome.spent |= {"log lines but for calls": lines, "longest wait of new callers": probe.longest}
        outcome.spent["new callers lost"] = probe.lost
        outcome.checks += [
            Check("log lines a second but for calls", lines / context.seconds, most=MOST_LINES_A_SECOND),
            Check("longest wait of a new caller, seconds", round(probe.longest, 1), most=MOST_WAIT),
            Check("new callers without an answer", probe.lost, most=0),
        ]
        yield outcome


async def _burst(port: int, seconds: float) -> None:
    """Open them all at once, say nothing, and keep those that are kept until the time is over."""

    async def hold() -> None:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(seconds):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    await reader.read()
                finally:
                    writer.transport.abort()

    ends = time.monotonic() + seconds
    await asyncio.gather(*(hold() for _ in range(CONNECTIONS)))
    await asyncio.sleep(max(0.0, ends - time.monotonic()))


def _own_lines(target: Target) -> int:
    """Lines of the log that are not one of a call."""
    found = 0
    for line in (target.folder / "output.txt").read_text().splitlines():
        with suppress(ValueError):
            found += json.loads(line).get("message") != "call"
            continue
        found += 1
    return found


class _Probe:
    """Callers that come anew, one after the other, and ask for what the event loop itself answers."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._stopped = threading.Event()
        self.longest, self.lost = 0.0, 0

    def __enter__(self) -> None:
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(PROBE_PAUSE):
            caller = self._target.caller()
            answer = caller.get("/livez")
            caller.close()
            self.longest = max(self.longest, answer.seconds)
            self.lost += answer.status == LOST
