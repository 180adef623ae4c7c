"""The events of the day in order, and the status that the service reports meanwhile."""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lab.status_day import traffic
from lab.status_day.caller import Caller
from lab.status_day.service import Service
from lab.status_day.traffic import BANK, CHARGE, CNPJ, NOBODY_ELSE, PIX, SOME, STAGED
from tests.services.gateway import eventually
from tests.simulator import Simulator
from tests.simulator.companies import numbers
from tests.simulator.replies import Reply


def _rests(_provider: str, _cnpj: str) -> Reply:
    """Ask not to be called for a second."""
    return Reply(503, b"{}", {"retry-after": "1"})


SOURCES = ("opencnpj", "brasilapi", "cnpja")


class Day:
    """The events of a day. ``store``: the file of the service's store."""

    def __init__(self, service: Service, providers: Simulator, store: Path) -> None:
        self._service = service
        self._providers = providers
        self._store = store
        self.caller = Caller(service.gateway.base)
        self._began = time.monotonic()

    def until_noon(self) -> None:
        """Fail one provider, then all; recover; lock the store; recover."""
        self._service.wait_for_status(whole="operational", cnpja="operational")
        self._print("before any call, by probes")
        self.caller.take_a_key()
        traffic.all_sorts(self.caller)
        self._print("all is well")
        self._one_fails()
        self._print("cnpja fails")
        self._all_fail()
        self._print("every provider fails")
        self._recover()
        self._print("the providers are back; calls failed in the last 15 minutes")
        with self._store_away():
            traffic.without_store(self.caller)
            self._service.wait_for_status(whole="down", armazenamento="down")
            self._print("the store cannot be written")
        self._service.wait_for_status(armazenamento="operational")
        self._service.replace_workers()
        self._print("the store is back, the workers were replaced in order")

    def until_night(self) -> None:
        """Kill workers under load and wait until they are replaced."""
        self.caller.take_a_key()
        replaced = self._service.replaced()
        with ThreadPoolExecutor(6) as pool:
            calls = [pool.submit(self.caller.ask_or_break, "POST", PIX, 200, json=CHARGE) for _ in range(90)]
            eventually(lambda: sum(call.done() for call in calls) > 20)
            self._service.kill(2)
            self.logged_when_killed = self._service.gateway.logged()
        for call in calls:
            call.result()
        eventually(lambda: self._service.replaced() == replaced + 2)
        self._print("two of three workers were killed and replaced")
        self.caller.take_a_key()
        traffic.look_up(self.caller, *SOME, status=200)
        self._service.wait_for_status(whole="degraded", opencnpj="operational")
        self._print("all is well again; what failed in the last 15 minutes is still said")

    def _one_fails(self) -> None:
        self._providers.play("cnpja", _rests)
        self.caller.take_a_key()
        traffic.look_up(self.caller, *SOME, status=200)
        absence = self.caller.ask("GET", f"{CNPJ}/{NOBODY_ELSE}", 404)
        if absence["confirmado"]:
            raise SystemExit("an absence was confirmed by dumps alone")
        self._service.wait_for_status(whole="operational", cnpj="operational", cnpja="degraded")

    def _all_fail(self) -> None:
        for source in SOURCES:
            self._providers.play(source, _rests)
        self.caller.take_a_key()
        for _ in range(2):
            traffic.look_up(self.caller, *SOME, status=503)
        self.caller.ask("POST", f"{CNPJ}/lote", 200, json={"cnpjs": [*numbers("44555666", 3), STAGED, "x"]})
        self.caller.use("look_up_company", 503, cnpj=numbers("77888999", 1)[0])
        self.caller.ask("POST", PIX, 200, json=CHARGE)
        self._service.wait_for_status(whole="degraded", cnpj="down", pix="operational")

    def _recover(self) -> None:
        for source in SOURCES:
            self._providers.play(source, "truth")
        self.caller.take_a_key()

        def is_well() -> bool:
            self.caller.ask("GET", f"{CNPJ}/{BANK}?idade_maxima=0", 200, 503)
            return self._service.reports(opencnpj="operational")

        eventually(is_well)

    @contextlib.contextmanager
    def _store_away(self) -> Iterator[None]:
        """Lock the store's file from another connection."""
        self.caller.take_a_key()
        with contextlib.closing(sqlite3.connect(self._store, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            yield
            other.execute("ROLLBACK")

    def _print(self, stage: str) -> None:
        """Print the current status and the caller's counts."""
        states = self._service.states()
        parts = ", ".join(f"{name} {state}" for name, state in states.items() if name)
        health = self.caller.head("/api/v1/health")
        print(f"{time.monotonic() - self._began:4.0f} s  {stage}", flush=True)
        print(f"        {states['']}: {parts}; HEAD /health {health}; {self.caller.counts}", flush=True)
