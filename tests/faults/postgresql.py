"""PostgreSQL killed, silent, slow, and cut off in the middle of its answers."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, cycle
from pathlib import Path
from uuid import uuid4

from tests.faults.service import STORE_SECONDS, serving
from tests.faults.trial import OPERATION, Budget, Row, Trial
from tests.services.postgres import Server, postgres
from tests.services.relay import Judge, Relay, relay

__all__ = ["AWAY_SECONDS", "CALM_SECONDS", "CUT_SECONDS", "every", "faults", "passing"]

AWAY_SECONDS = 2.5 * STORE_SECONDS
CALM_SECONDS = 2.0
SLOW_SECONDS = 0.3
CUT_SECONDS = 6.0


def faults(folder: Path) -> Iterator[Row]:
    """Yield a row for each fault, with separate databases of one server."""
    with postgres() as server:
        for fault in (_killed, _silent, _slow, _lost_answers):
            (folder / fault.__name__).mkdir()
            yield fault(folder / fault.__name__, server)


def _killed(folder: Path, server: Server) -> Row:
    """It ends as by a power cut, is away, and comes back over the same files."""
    with serving(folder, server.new_database(uuid4().hex)) as service:
        trial = Trial(service)
        with trial.running():
            for _ in range(2):
                server.kill()
                time.sleep(AWAY_SECONDS / 2)
                server.start()
                trial.end()
                time.sleep(CALM_SECONDS)
        return trial.judged("PostgreSQL killed twice, and back", felt={503}, history="at least")


def _silent(folder: Path, server: Server) -> Row:
    """Server and sessions stand still: connections are there, and nobody answers."""
    with serving(folder, server.new_database(uuid4().hex)) as service:
        trial = Trial(service)
        with trial.running():
            server.signal(signal.SIGSTOP)
            server.signal_sessions(signal.SIGSTOP)
            try:
                time.sleep(AWAY_SECONDS)
            finally:
                server.signal_sessions(signal.SIGCONT)
                server.signal(signal.SIGCONT)
            trial.end()
        return trial.judged("PostgreSQL silent (SIGSTOP)", felt={503}, history="at least")


def _slow(folder: Path, server: Server) -> Row:
    """Every answer is late; then later than anybody waits."""
    with _behind_relay(folder, server) as (trial, late):
        with trial.running():
            for delay in (SLOW_SECONDS, 2.0 * STORE_SECONDS):
                late.delay = delay
                time.sleep(AWAY_SECONDS)
            late.delay = 0.0
            trial.end()
        # Under a key three operations, and two to give back what cannot be answered.
        budget = Budget(keyed=5 * OPERATION)
        fault = f"PostgreSQL slow: each answer {SLOW_SECONDS} s late, then {2 * STORE_SECONDS} s"
        return trial.judged(fault, felt={503}, budget=budget, history="at least")


def _lost_answers(folder: Path, server: Server) -> Row:
    """Connections end within an answer of the server, that to a commit too."""
    with _behind_relay(folder, server) as (trial, cutting):
        with trial.running():
            cutting.passes = passing()
            cutting.cuts = every(15)
            time.sleep(CUT_SECONDS)
            cutting.cuts = lambda _: False
            trial.end()
        fault = f"PostgreSQL: answers cut after 0 to 300 bytes ({cutting.cut} times)"
        return trial.judged(fault, felt={503}, history="at least")


def passing() -> Callable[[], int]:
    """How many bytes of the next answer that is cut get through."""
    return cycle((0, 1, 7, 40, 300)).__next__


def every(number: int) -> Judge:
    """Holds of one in so many."""
    asked = count(1)
    return lambda _: next(asked) % number == 0


@contextmanager
def _behind_relay(folder: Path, server: Server) -> Iterator[tuple[Trial, Relay]]:
    with relay(server.port) as between:
        direct = server.new_database(uuid4().hex)
        store = direct.replace(str(server.port), str(between.port))
        with serving(folder, store, direct) as service:
            yield Trial(service), between
