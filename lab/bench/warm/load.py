"""The load: fixed bytes over a few connections that stay open, each with one request at a time.

``python -m lab.bench.warm.load PORT CALLS CONNECTIONS``, with the request on standard input, prints as JSON
the seconds of all calls together and the milliseconds of each. Every answer must be 200, and no connection
may end before its last one.
"""

import asyncio
import json
import sys
import time


class _Caller(asyncio.Protocol):
    """Sends its request again with each answer, as long as calls are left."""

    def __init__(self, request: bytes, times: list[float], calls: int, done: asyncio.Future[None]) -> None:
        self._request, self._times, self._calls, self._done = request, times, calls, done
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
        self._times[self._number] = (time.perf_counter() - self._began) * 1000
        self._ask()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc or ConnectionError("closed"))  # each caller keeps its first connection

    def _ask(self) -> None:
        if len(self._times) < self._calls:
            self._number, self._began = len(self._times), time.perf_counter()
            self._times.append(0.0)
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
    """Return the length of an answer that begins with these bytes; infinite while its head is not whole."""
    head, found, _ = answer.partition(b"\r\n\r\n")
    if not found:
        return float("inf")
    return len(head) + 4 + int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])


async def main() -> None:
    """Call, and print how long that took."""
    port, calls, connections = map(int, sys.argv[1:])
    request = sys.stdin.buffer.read()
    times: list[float] = []
    loop = asyncio.get_running_loop()
    done = [loop.create_future() for _ in range(connections)]
    began = time.perf_counter()
    for one in done:
        caller = _Caller(request, times, calls, one)
        await loop.create_connection(lambda caller=caller: caller, "127.0.0.1", port)  # type: ignore[misc]
    await asyncio.gather(*done)
    print(json.dumps({"seconds": time.perf_counter() - began, "times": times}))


if __name__ == "__main__":
    asyncio.run(main())
