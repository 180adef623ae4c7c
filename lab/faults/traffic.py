"""Callers that record their answers with times.

Half of them send each request once. The others repeat it under an ``Idempotency-Key`` until it is answered,
and then once more: their count must be exact, whatever fails.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from typing import NamedTuple

import httpx

from tests.services.gateway import eventually
from tests.simulator.companies import numbers

MAX_SECONDS = 60.0
CALLERS = 12  # of each kind: with two workers more of them than a worker has connections to a database
PAUSE = 0.02

LOST = 0
"""In a status's place: the connection ended without an answer."""


class Kind(NamedTuple):
    """POSTs of ``path`` with the n-th ``request``. ``fixed``: the same request has the same answer."""

    path: str
    request: Callable[[int], dict[str, str]]
    fixed: bool


def _charge(number: int) -> dict[str, str]:
    return {"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife", "txid": f"N{number}"}


def _company(number: int) -> dict[str, str]:
    return {"cnpj": numbers(f"{number:08}", 1)[0]}


CODES = Kind("/api/v1/skills/pix", _charge, fixed=True)
LOOK_UPS = Kind("/api/v1/skills/cnpj", _company, fixed=False)
"""Of companies that are new to the service."""


class Call(NamedTuple):
    """One request; times are of ``time.monotonic``."""

    began: float
    ended: float
    status: int

    @property
    def seconds(self) -> float:
        return self.ended - self.began


class Traffic:
    """``plain`` and ``keyed``: every call so far; ``requests``: the number answered under an own key.

    ``wrong``: what no fault excuses.
    """

    def __init__(self, base: str, plain_key: str, keyed_key: str, kind: Kind = CODES) -> None:
        self.kind = kind
        self._base = base
        self._keys = plain_key, keyed_key
        self._next = count(10_000_000)
        self._stopped, self._counting = threading.Event(), threading.Lock()
        self.plain: list[Call] = []
        self.keyed: list[Call] = []
        self.requests = 0
        self.wrong: list[str] = []

    @contextmanager
    def running(self) -> Iterator[None]:
        """Call as long as the block runs; at its end every request under a key is answered."""
        with ThreadPoolExecutor(2 * CALLERS) as pool:
            callers = [pool.submit(self._send_once) for _ in range(CALLERS)]
            callers += [pool.submit(self._send_until_answered) for _ in range(CALLERS)]
            try:
                yield
            finally:
                self._stopped.set()
            for caller in callers:
                caller.result()

    @property
    def statuses(self) -> Counter[int]:
        return Counter(call.status for call in [*self.plain, *self.keyed])

    def answered_since(self, moment: float) -> bool:
        """Whether callers of both kinds have been answered lately, more often than there are callers."""
        return all(
            sum(call.status == 200 and call.began > moment for call in [*calls]) > 2 * CALLERS
            for calls in (self.plain, self.keyed)
        )

    def wait_for_answers(self) -> None:
        """Wait until all callers are answered again."""
        now = time.monotonic()
        eventually(lambda: self.answered_since(now))

    def failed_until(self, moment: float) -> float:
        """Return the seconds from a moment to the last answer other than 200."""
        failed = [call.ended - moment for call in [*self.plain, *self.keyed] if call.status != 200]
        return max([0.0, *failed])

    def _send_once(self) -> None:
        with self._client(self._keys[0]) as http:
            while not self._stopped.wait(PAUSE):
                self._ask(http, self.plain, self.kind.request(next(self._next)))

    def _send_until_answered(self) -> None:
        with self._client(self._keys[1]) as http:
            while not self._stopped.wait(PAUSE):
                number = next(self._next)
                self._send_claimed(http, self.kind.request(number), {"Idempotency-Key": str(number)})

    def _send_claimed(self, http: httpx.Client, request: dict[str, str], key: dict[str, str]) -> None:
        deadline = time.monotonic() + MAX_SECONDS
        while not (answer := self._ask(http, self.keyed, request, key)):
            if time.monotonic() > deadline:
                self.wrong.append(f"a request was sent for {MAX_SECONDS:.0f} s and never answered")
                return
            time.sleep(5 * PAUSE)
        with self._counting:
            self.requests += 1
        again = self._ask(http, self.keyed, request, key)
        if again and "idempotency-replayed" not in again.headers:
            self.wrong.append("a request that was sent again was answered as if it were new")
        if again and self.kind.fixed and again.content != answer.content:
            self.wrong.append("a request that was sent again was answered otherwise")

    def _ask(
        self,
        http: httpx.Client,
        calls: list[Call],
        request: dict[str, str],
        key: dict[str, str] | None = None,
    ) -> httpx.Response | None:
        """The answer, where it is a success."""
        began, answer = time.monotonic(), None
        with suppress(httpx.TransportError):
            answer = http.post(self.kind.path, json=request, headers=key)
        calls.append(Call(began, time.monotonic(), LOST if answer is None else answer.status_code))
        return answer if answer is not None and answer.status_code == 200 else None

    def _client(self, key: str) -> httpx.Client:
        return httpx.Client(base_url=self._base, headers={"X-API-Key": key}, timeout=MAX_SECONDS)
