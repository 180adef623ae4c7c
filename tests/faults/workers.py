"""Worker processes that are killed one after the other, all at once, and that stand still."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from brskills_server.gateway.server import START_SECONDS, STUCK_SECONDS
from tests.faults.service import WORKERS, Service, serving, workers_of
from tests.faults.traffic import LOST, eventually
from tests.faults.trial import OPERATION, Budget, Row, Trial

__all__ = ["faults"]

KILLS = 4


def faults(folder: Path) -> Iterator[Row]:
    """Yield a row for each fault, over separate files; unwritten history of a worker is lost."""
    for fault in (_one_after_the_other, _all_at_once, _standing_still):
        (folder / fault.__name__).mkdir()
        yield fault(folder / fault.__name__)


def _one_after_the_other(folder: Path) -> Row:
    with _started(folder) as (trial, service):
        with trial.running():
            for _ in range(KILLS):
                _replaced(service, [min(workers_of(service))], signal.SIGKILL)
                trial.end()
                trial.traffic.goes_on()
        return trial.judged(f"one of two workers killed, {KILLS} times", felt={LOST}, history="at most")


def _all_at_once(folder: Path) -> Row:
    with _started(folder) as (trial, service):
        with trial.running():
            _replaced(service, workers_of(service), signal.SIGKILL)
            trial.end()
        budget = Budget(START_SECONDS, START_SECONDS)
        return trial.judged("all workers killed at once", felt={LOST}, budget=budget, history="at most")


def _standing_still(folder: Path) -> Row:
    with _started(folder) as (trial, service):
        with trial.running():
            _replaced(service, [min(workers_of(service))], signal.SIGSTOP)
            trial.end()
        budget = Budget(STUCK_SECONDS + OPERATION, STUCK_SECONDS + OPERATION)
        return trial.judged("a worker is stopped (SIGSTOP)", felt={LOST}, budget=budget, history="at most")


def _replaced(service: Service, doomed: list[int] | set[int], number: signal.Signals) -> None:
    for worker in doomed:
        os.kill(worker, number)
    eventually(lambda: len(workers_of(service) - set(doomed)) == WORKERS)


@contextmanager
def _started(folder: Path) -> Iterator[tuple[Trial, Service]]:
    with serving(folder, f"sqlite:///{folder}/brskills.db") as service:
        yield Trial(service), service
