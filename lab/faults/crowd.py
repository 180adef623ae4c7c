"""A thousand clients that send half a request, or a byte a second, beside callers that are not affected."""

import asyncio
import multiprocessing
import resource
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple, Self

from brskills_server.gateway.body import BODY_SECONDS
from brskills_server.gateway.protocol import HEAD_SECONDS
from lab.faults.traffic import CODES
from lab.faults.trial import MACHINE_SECONDS, Row, span, trial_at

CLIENTS = 1_000
CROWD_SECONDS = BODY_SECONDS + 5
FILES = 4 * CLIENTS
HEAD = f"POST {CODES.path}/decode HTTP/1.1\r\nHost: x\r\n".encode()
WHOLE_HEAD = HEAD + b"Content-Type: application/json\r\nContent-Length: 300\r\n\r\n"


class Manner(NamedTuple):
    """What a slow client sends at first, whether a byte follows each second, the most seconds allowed."""

    first: bytes
    drips: bool
    most: float


MANNERS = (
    Manner(HEAD, False, HEAD_SECONDS),
    Manner(HEAD + b"X: ", True, HEAD_SECONDS),
    Manner(WHOLE_HEAD + b"{", True, BODY_SECONDS),
)


class Crowd:
    """``seen``: how connections ended (0: without an answer); ``late``: seconds beyond what they may last."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.seen: Counter[int] = Counter()
        self.late = 0.0

    def run(self) -> Self:
        """Run all clients at once; rejected ones retry a second later, until the time has passed."""
        asyncio.run(self._run())
        return self

    async def _run(self) -> None:
        ends = time.monotonic() + CROWD_SECONDS
        await asyncio.gather(*(self._come_and_go(MANNERS[n % len(MANNERS)], ends) for n in range(CLIENTS)))

    async def _come_and_go(self, manner: Manner, ends: float) -> None:
        while (left := ends - time.monotonic()) > 0:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            began = time.monotonic()
            sending = asyncio.create_task(_send(writer, manner))
            try:
                line = await asyncio.wait_for(reader.readline(), max(left, manner.most + MACHINE_SECONDS))
                self.seen[int(line.split()[1]) if line else 0] += 1
                self.late = max(self.late, time.monotonic() - began - manner.most)
            except ConnectionError:
                self.seen[0] += 1
            finally:
                sending.cancel()
                writer.transport.abort()
            await asyncio.sleep(1)


async def _send(writer: asyncio.StreamWriter, manner: Manner) -> None:
    writer.write(manner.first)
    while manner.drips:
        await asyncio.sleep(1)
        writer.write(b"x")


def faults(folder: Path) -> Iterator[Row]:
    """Yield one row. Raise ``RuntimeError`` if a process may not open enough connections."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < FILES:
        raise RuntimeError(f"{FILES} open files are needed (ulimit -n), not {most}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, most))
    with trial_at(folder) as trial:
        # In a separate process: among the threads of the other callers it would see answers seconds late.
        with trial.running(), ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            crowd = process.submit(Crowd(trial.service.port).run).result()
            trial.end()
        row = trial.judged(f"{CLIENTS:,} slow clients; they saw {span(crowd.seen)}", felt=set())
        row.check(crowd.late <= MACHINE_SECONDS, f"a slow client was borne {crowd.late:.1f} s too long")
        row.check(bool(crowd.seen[408]), "no slow client was sent away")
        row.check(not crowd.seen[400], "a slow client was refused for what it sent")
        yield row
