"""One connection to the service, kept open between calls, and threads that call at full speed."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import Any, NamedTuple

LOST = 0
"""In a status's place: the connection ended without an answer."""

TIMEOUT = 30.0


class Answer(NamedTuple):
    """An answer; ``seconds`` from the first byte sent to the last one read."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float

    @property
    def content(self) -> Any:
        """The JSON of the body; an empty object where it is none."""
        with suppress(ValueError):
            return json.loads(self.body)
        return {}

    @property
    def code(self) -> str:
        """The code of the problem, also of one in the result of an MCP tool; empty without one."""
        problem = self.content if self.status >= 400 else {}
        if self.body.startswith(b'{"jsonrpc"') and self.content.get("result", {}).get("isError"):
            problem = self.content["result"]["structuredContent"]
        return str(problem.get("code", ""))


class Caller:
    """Calls with a key, one after the other."""

    def __init__(self, port: int, key: str = "", timeout: float = TIMEOUT, source: str = "127.0.0.1") -> None:
        self._http = HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(source, 0))
        self._own = {"X-API-Key": key} if key else {}

    def post(self, path: str, content: Any, **headers: str) -> Answer:
        """POST JSON; names of headers are written with underscores."""
        return self.send("POST", path, json.dumps(content).encode(), **headers)

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, None, **headers)

    def send(self, method: str, path: str, body: bytes | None, **headers: str) -> Answer:
        """Send a request; whatever breaks the connection is an answer with the status ``LOST``."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()} | self._own
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        began = time.monotonic()
        try:
            self._http.request(method, path, body, sent)
            response = self._http.getresponse()
            found = response.read()
        except (OSError, HTTPException):
            self._http.close()
            return Answer(LOST, {}, b"", time.monotonic() - began)
        named = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, named, found, time.monotonic() - began)

    def close(self) -> None:
        self._http.close()


class Tally:
    """The answers of an attack: statuses, codes of problems, bytes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.statuses: Counter[int] = Counter()
        self.codes: Counter[str] = Counter()
        self.bytes_out = 0

    def add(self, answer: Answer) -> None:
        with self._lock:
            self.statuses[answer.status] += 1
            if code := answer.code:
                self.codes[code] += 1
            self.bytes_out += len(answer.body)

    @property
    def sent(self) -> int:
        return self.statuses.total()

    def __str__(self) -> str:
        return ", ".join(f"{times} × {status or 'lost'}" for status, times in sorted(self.statuses.items()))


def flood(
    port: int,
    key: str,
    ask: Callable[[Caller, int], Answer],
    *,
    threads: int = 6,
    seconds: float = 10.0,
    most: int = 100_000,
) -> Tally:
    """Ask from several threads at once until the time is over or ``most`` questions were asked.

    ``ask`` gets a caller of its thread and the number of the question.
    """
    tally, lock, ends = Tally(), threading.Lock(), time.monotonic() + seconds
    numbers = iter(range(most))

    def run() -> None:
        caller = Caller(port, key)
        while time.monotonic() < ends:
            with lock:
                number = next(numbers, None)
            if number is None:
                break
            answer = ask(caller, number)
            tally.add(answer)
            if answer.status == LOST:
                time.sleep(0.05)
        caller.close()

    in_threads(run, threads)
    return tally


def in_threads(run: Callable[[], object], threads: int) -> None:
    """Run something in several threads at once, to the end of all."""
    running = [threading.Thread(target=run) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
