"""The Python client against a server that means it harm: a gzip bomb, a byte a second, Retry-After 0."""

from __future__ import annotations

import gzip
import json
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context, environment_of

BOMB_BYTES = 200_000_000
MOST_MEMORY, LIMIT_OF_MEMORY = 150, 2_000_000_000
TRICKLE_SECONDS, TIMEOUT = 20.0, 2.0
PROGRAM = """
import inspect, json, re, sys, time
from brskills import Client
began = time.monotonic()
try:
    url, timeout, retries = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    bounds = {"deadline": 5} if "deadline" in inspect.signature(Client).parameters else {}
    with Client("brsk_x", url, timeout=timeout, retries=retries, max_wait=4, **bounds) as client:
        client.usage()
    end = "answered"
except BaseException as error:
    end = type(error).__name__
peak = int(re.search(r"VmHWM:\\s*([0-9]+)", open("/proc/self/status").read())[1]) / 1024
print(json.dumps({"end": end, "seconds": time.monotonic() - began, "memory": peak}))
"""

Serve = Callable[[socket.socket], None]


def attack(context: Context) -> Iterator[Outcome]:
    yield _bomb(context)
    yield _trickle(context)
    yield _at_once(context)


def _bomb(context: Context) -> Outcome:
    bomb = gzip.compress(b'{"a": "' + b" " * BOMB_BYTES + b'"}', 6)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
    whole = head + b"Content-Length: %d\r\n\r\n" % len(bomb) + bomb
    outcome = Outcome(
        "client", f"an answer of {len(bomb) // 1000} KB that unpacks to {BOMB_BYTES // 10**6} MB"
    )
    with _server(lambda one: one.sendall(whole)) as (url, _):
        found = _run(context, url, 10, 0)
    outcome.spent = found
    outcome.checks = [Check("peak memory of the client, MB", round(float(found["memory"])), most=MOST_MEMORY)]
    return outcome


def _trickle(context: Context) -> Outcome:
    def serve(one: socket.socket) -> None:
        one.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
        ends = time.monotonic() + TRICKLE_SECONDS
        while time.monotonic() < ends:
            one.sendall(b" ")
            time.sleep(0.5)

    outcome = Outcome("client", f"two bytes a second for {TRICKLE_SECONDS:.0f} s, time-out {TIMEOUT:.0f} s")
    with _server(serve) as (url, _):
        found = _run(context, url, TIMEOUT, 0)
    outcome.spent = found
    held = float(found["seconds"])
    outcome.checks = [Check("seconds that one call is held", round(held, 1), most=TRICKLE_SECONDS / 2)]
    return outcome


def _at_once(context: Context) -> Outcome:
    body = b'{"code": "sources_unavailable", "status": 503, "title": "x", "detail": "x", "type": "x"}'
    head = b"HTTP/1.1 503 x\r\nContent-Type: application/problem+json\r\nRetry-After: 0\r\n"
    whole = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    outcome = Outcome("client", "Retry-After: 0 to every one of 200 tries, max_wait 4 s")
    with _server(lambda one: one.sendall(whole)) as (url, requests):
        found = _run(context, url, 5, 200)
        made = requests[0]
    outcome.spent = {"requests": made, **found}
    rate = made / max(1.0, float(found["seconds"]))
    outcome.checks = [Check("requests a second", round(rate, 1), most=10)]
    return outcome


def _run(context: Context, url: str, timeout: float, retries: int) -> dict[str, float | str]:
    limit = (LIMIT_OF_MEMORY, LIMIT_OF_MEMORY)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, url, str(timeout), str(retries)],
        env=environment_of(context.checkout),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode:
        return {"end": "killed", "seconds": 0.0, "memory": LIMIT_OF_MEMORY / 2**20}
    found: dict[str, float | str] = json.loads(done.stdout)
    return found


@contextmanager
def _server(serve: Serve) -> Iterator[tuple[str, list[int]]]:
    """A server on loopback that answers each request so; with how many there were."""
    listener, requests, stopped = socket.create_server(("127.0.0.1", 0)), [0], threading.Event()

    def one_by_one(one: socket.socket) -> None:
        with suppress(OSError), one:
            while not stopped.is_set() and one.recv(65_536):
                requests[0] += 1
                serve(one)

    def accept() -> None:
        with suppress(OSError):
            while True:
                one, _ = listener.accept()
                threading.Thread(target=one_by_one, args=(one,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", requests
    finally:
        stopped.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()
