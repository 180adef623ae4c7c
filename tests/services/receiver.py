"""A receiver of webhooks on loopback: it keeps what comes, and answers as a test decides."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import NamedTuple


class Received(NamedTuple):
    """A request; names of headers in lower case."""

    path: str
    headers: dict[str, str]
    body: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


Connection = asyncio.StreamWriter
Answering = Callable[[Connection], Awaitable[None]]


def answer(status: int = 204, *headers: str, after: float = 0) -> Answering:
    """Answer with a status."""
    head = "\r\n".join([f"HTTP/1.1 {status} X", "Content-Length: 0", *headers, "", ""]).encode()

    async def write(writer: Connection) -> None:
        await asyncio.sleep(after)
        writer.write(head)

    return write


def send(*pieces: bytes, every: float = 0, times: int = 1) -> Answering:
    """Send pieces several times, with pauses between them."""

    async def write(writer: Connection) -> None:
        for _ in range(times):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                if every:
                    await asyncio.sleep(every)

    return write


async def hold(_: Connection) -> None:
    """Answer nothing."""
    await asyncio.sleep(3600)


async def close(writer: Connection) -> None:
    """Close the connection."""
    writer.transport.abort()


class Receiver:
    """``answers`` by path; others are answered by ``usual``. ``received``: in the order of arrival.
    ``names``: in handshakes.

    ``most``: the most requests in progress at once, by path and in all (the path ``""``).
    """

    def __init__(self) -> None:
        self.port = 0
        self.answers: dict[str, Answering] = {}
        self.usual: Answering = answer()
        self.received: list[Received] = []
        self.connections = 0
        self.names: list[str] = []
        self.most: Counter[str] = Counter()
        self._in_progress: Counter[str] = Counter()

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def at(self, path: str) -> list[Received]:
        return [one for one in self.received if one.path == path]

    async def run(self, tls: ssl.SSLContext | None, started: Future[Callable[[], object]]) -> None:
        stopped, loop = asyncio.Event(), asyncio.get_running_loop()
        loop.set_exception_handler(lambda *_: None)  # of handshakes that fail
        async with await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls, backlog=512) as server:
            self.port = server.sockets[0].getsockname()[1]
            started.set_result(lambda: loop.call_soon_threadsafe(stopped.set))
            await stopped.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: Connection) -> None:
        self.connections += 1
        try:
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            path = first.split(" ")[1]
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.received.append(Received(path, headers, body.decode()))
            await self._answer(path, reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, path: str, reader: asyncio.StreamReader, writer: Connection) -> None:
        for name in ("", path):
            self._in_progress[name] += 1
            self.most[name] = max(self.most[name], self._in_progress[name])
        answering = asyncio.ensure_future(self.answers.get(path, self.usual)(writer))
        gone = asyncio.ensure_future(reader.read())  # so that nobody who has left is answered
        try:
            await asyncio.wait({answering, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._in_progress.subtract(("", path))
            answering.cancel()
            gone.cancel()
            await asyncio.gather(answering, gone, return_exceptions=True)


@contextmanager
def receiver(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Yield a receiver that serves in a thread."""
    found, started = Receiver(), Future[Callable[[], object]]()
    thread = threading.Thread(target=lambda: asyncio.run(found.run(tls, started)), daemon=True)
    thread.start()
    stop = started.result(10)
    try:
        yield found
    finally:
        stop()
        thread.join()
