"""The load: fixed bytes over a few connections that stay open, each with one request at a time.

``python -m tests.bench.warm.load PORT CALLS CONNECTIONS``, with the request on standard input, prints the
seconds that it took. Every answer must be 200, and no
connection may end before its last one.
"""

from __future__ import annotations

import asyncio
import sys
import time

__all__ = ["length_of"]


class _Caller(asyncio.Protocol):
    """Sends its request again with each answer, as long as calls are left."""

    def __init__(self, request: bytes, calls: list[int], done: asyncio.Future[None]) -> None:
        self._request, self._calls, self._done = request, calls, done
        self._answer = b""
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self._ask()

    def data_received(self, data: bytes) -> None:
        self._answer += data
        if len(self._answer) < length_of(self._answer):
            return
        if not self._answer.startswith(b"HTTP/1.1 200 "):
            self._end(RuntimeError(self._answer.decode()))
            return
        self._answer = b""
        self._ask()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc or ConnectionError("closed"))  # each caller keeps its first connection

    def _ask(self) -> None:
        if self._calls[0]:
            self._calls[0] -= 1
            self._transport.write(self._request)
        else:
            self._end(None)

    def _end(self, error: Exception | None) -> None:
        if not self._done.done():
            if error:
                self._done.set_exception(error)
            else:
                self._done.set_result(None)


def length_of(answer: bytes) -> float:
    """How long an answer will be that began with these bytes; infinite where its head is not whole."""
    head, found, _ = answer.partition(b"\r\n\r\n")
    if not found:
        return float("inf")
    return len(head) + 4 + int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])


async def main() -> None:
    """Call, and print how long that took."""
    port, calls, connections = map(int, sys.argv[1:])
    request, left = sys.stdin.buffer.read(), [calls]
    loop = asyncio.get_running_loop()
    done = [loop.create_future() for _ in range(connections)]
    began = time.perf_counter()
    for one in done:
        await loop.create_connection(lambda one=one: _Caller(request, left, one), "127.0.0.1", port)  # type: ignore[misc]
    await asyncio.gather(*done)
    print(time.perf_counter() - began)


if __name__ == "__main__":
    asyncio.run(main())
