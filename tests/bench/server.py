"""Pix calls while slow clients hang on: ``python -m tests.bench.server``; ``WORKERS`` as for ``make run``.

Eight callers make Pix calls as fast as they are answered: alone, and then while 64 clients send a byte a
second (half of them of a head, half of a body) and 64 keep a connection open without a word. The store is
SQLite. docs/decisions/15-whole-requests.md keeps the figures.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import statistics
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from urllib.parse import urlsplit

import httpx

from tests.services.gateway import gateway

SECONDS, CALLERS, SLOW, IDLE = 6.0, 8, 64, 64
KEYS = 300  # of 100 calls each
BODY = json.dumps({"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife"}).encode()
HEAD = (
    "POST /api/v1/skills/pix HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    f"Content-Length: {len(BODY)}\r\nX-API-Key: %s\r\n\r\n"
)


def main() -> None:
    """Measure and print."""
    with gateway(WORKERS=os.environ.get("WORKERS", "1"), SIGNUPS_PER_DAY=str(KEYS)) as base:
        with httpx.Client(base_url=base) as http:
            keys = cycle([http.post("/api/v1/keys").json()["api_key"] for _ in range(KEYS)])
        alone, crowded = asyncio.run(_measure(urlsplit(base).port or 0, keys))
    print("| | calls/s | p50, ms | p99, ms |\n| --- | --- | --- | --- |")
    for name, times in (("alone", alone), (f"with {SLOW} slow and {IDLE} idle clients", crowded)):
        median, worst = statistics.median(times), sorted(times)[int(len(times) * 0.99)]
        print(f"| {name} | {len(times) / SECONDS:.0f} | {median * 1000:.1f} | {worst * 1000:.1f} |")


async def _measure(port: int, keys: Iterator[str]) -> tuple[list[float], list[float]]:
    alone = await calls(port, keys)
    slow = [_drip(port, HEAD.encode() + BODY, at_once=n % 2 * len(HEAD)) for n in range(SLOW)]
    crowd = asyncio.gather(*slow, *[_drip(port, b"", at_once=0) for _ in range(IDLE)])
    await asyncio.sleep(2)
    crowded = await calls(port, keys)
    crowd.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await crowd
    return alone, crowded


async def calls(port: int, keys: Iterator[str]) -> list[float]:
    """How long each of the calls of eight callers took, in seconds."""
    end = time.perf_counter() + SECONDS
    taken = [next(keys) for _ in range(KEYS)]
    with ThreadPoolExecutor(CALLERS) as callers:
        loop = asyncio.get_running_loop()
        each = [loop.run_in_executor(callers, _call, port, taken[n::CALLERS], end) for n in range(CALLERS)]
        return [spent for times in await asyncio.gather(*each) for spent in times]


def _call(port: int, keys: Sequence[str], end: float) -> list[float]:
    """Blocking sockets, for the callers share the processors with what they measure."""
    times: list[float] = []
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for key in cycle(keys):
            began = time.perf_counter()
            connection.sendall((HEAD % key).encode() + BODY)
            answer = connection.recv(65536)
            while b"\r\n\r\n" not in answer or len(answer) < _length_of(answer):
                answer += connection.recv(65536)
            assert answer.startswith(b"HTTP/1.1 200"), answer
            times.append(time.perf_counter() - began)
            if time.perf_counter() > end:
                return times
    return times


def _length_of(answer: bytes) -> int:
    head, _, _ = answer.partition(b"\r\n\r\n")
    return len(head) + 4 + int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])


async def _drip(port: int, request: bytes, at_once: int) -> None:
    """A client that sends a byte a second, or nothing, and comes again whenever it is sent away."""
    while True:
        with contextlib.suppress(ConnectionError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request[:at_once])
            for byte in request[at_once:]:
                writer.write(bytes([byte]))
                await asyncio.sleep(1)
            await reader.read()


if __name__ == "__main__":
    main()
