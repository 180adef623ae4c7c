"""Hostile servers on loopback."""

from __future__ import annotations

import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Send = Callable[[bytes], object]


@contextmanager
def served(answer: Callable[[Send], None]) -> Iterator[tuple[str, list[float]]]:
    """Yield the server's address and the times of its requests; ``answer`` sends one answer."""
    listening, asked = socket.create_server(("127.0.0.1", 0)), list[float]()

    def serve() -> None:
        while True:
            try:
                caller = listening.accept()[0]
            except OSError:
                return
            with caller, suppress(OSError):
                caller.recv(65_536)
                asked.append(time.monotonic())
                answer(caller.sendall)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", asked
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


def bomb(megabytes: int) -> Callable[[Send], None]:
    """Return an answer of many zeros, compressed by a factor of 1,000."""

    def answer(send: Send) -> None:
        send(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n")
        packer = zlib.compressobj(9, wbits=31)
        for _ in range(megabytes):
            send(packer.compress(bytes(1 << 20)))
        send(packer.flush())

    return answer


def trickle(start: bytes) -> Callable[[Send], None]:
    """Return an answer that sends one byte at a time without end."""

    def answer(send: Send) -> None:
        send(start)
        while True:
            send(b"x")
            time.sleep(0.02)

    return answer
