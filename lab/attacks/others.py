"""Well-behaved callers beside an attack: companies that are new to the service, and Pix codes."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import NamedTuple

from lab.attacks.caller import Caller
from lab.attacks.outcome import Check, Figures
from tests.simulator.companies import numbers

PAUSE = 0.05
LOOK_UPS, CODES = 4, 2
LEAST_ANSWERED = 0.99
SLOWER, FLOOR_SECONDS = 3.0, 0.3  # below the floor a wait is the machine's own
CODE = {"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "Recife"}


class _Call(NamedTuple):
    began: float
    seconds: float
    answered: bool
    is_look_up: bool


def _share(calls: Sequence[_Call]) -> float:
    return sum(call.answered for call in calls) / len(calls) if calls else 0.0


class Others:
    """Several callers, each with an account without a limit."""

    def __init__(self, port: int, keys: Sequence[str]) -> None:
        self._port = port
        self._keys = keys
        self._roots = count(30_000_000)
        self._lock, self._stopped = threading.Lock(), threading.Event()
        self._calls: list[_Call] = []

    @contextmanager
    def running(self) -> Iterator[None]:
        """Call as long as the block runs."""
        asks = [self._look_up] * LOOK_UPS + [self._write_code] * CODES
        threads = [
            threading.Thread(target=self._run, args=(ask, self._keys[n % len(self._keys)]))
            for n, ask in enumerate(asks)
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stopped.set()
            for thread in threads:
                thread.join()

    def figures(self, since: float, until: float) -> Figures:
        """Calls that began in a period of ``time.monotonic``."""
        with self._lock:
            found = [call for call in self._calls if since <= call.began < until]
        waits = sorted(call.seconds for call in found) or [0.0]
        return Figures(
            calls=len(found),
            answered=_share(found),
            look_ups=_share([call for call in found if call.is_look_up]),
            p50=waits[len(waits) // 2],
            p99=waits[len(waits) * 99 // 100],
        )

    def _run(self, ask: Callable[[Caller], bool], key: str) -> None:
        caller = Caller(self._port, key)
        while not self._stopped.wait(PAUSE):
            began = time.monotonic()
            answered = ask(caller)
            call = _Call(began, time.monotonic() - began, answered, ask == self._look_up)
            with self._lock:
                self._calls.append(call)
        caller.close()

    def _look_up(self, caller: Caller) -> bool:
        with self._lock:
            root = next(self._roots)
        return caller.get(f"/api/v1/skills/cnpj/{numbers(str(root), 1)[0]}").status == 200

    def _write_code(self, caller: Caller) -> bool:
        return caller.post("/api/v1/skills/pix", CODE).status == 200


def unharmed(idle: Figures, meanwhile: Figures) -> list[Check]:
    """Return the limits of any attack's effect on others."""
    most = max(SLOWER * idle.p99, FLOOR_SECONDS)
    return [
        Check("others' answered share", round(meanwhile.answered, 4), least=LEAST_ANSWERED),
        Check("others' look-ups answered", round(meanwhile.look_ups, 4), least=LEAST_ANSWERED),
        Check("others' p99, seconds", round(meanwhile.p99, 3), most=round(most, 3)),
    ]
