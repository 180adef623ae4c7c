"""Workers that are killed or stopped, and providers that accept connections and send nothing."""

import os
import signal
import time
from collections.abc import Collection, Iterator
from pathlib import Path

from brskills_server.gateway.server import START_SECONDS, STUCK_SECONDS
from lab.faults.traffic import LOOK_UPS, LOST
from lab.faults.trial import OPERATION, Budget, Row, Trial, trial_at
from tests.services.gateway import eventually
from tests.simulator import Simulator

KILLS = 4
SILENT_SECONDS = 14.0
LOOK_UP_SECONDS = 12.0  # the longest wait of a caller of the registry
BACK_SECONDS = 20.0  # a trial call that is not answered makes the breaker rest for ten seconds more


def workers(folder: Path) -> Iterator[Row]:
    """Yield a row for each fault, over separate files; the unwritten history of a worker is lost."""
    with trial_at(folder / "one") as trial:
        with trial.running():
            for _ in range(KILLS):
                _replace(trial, [min(trial.service.workers())], signal.SIGKILL)
                trial.traffic.wait_for_answers()
        yield trial.judged(f"one of two workers killed, {KILLS} times", felt={LOST}, history="at most")
    with trial_at(folder / "all") as trial:
        with trial.running():
            _replace(trial, trial.service.workers(), signal.SIGKILL)
        budget = Budget(START_SECONDS, START_SECONDS)
        yield trial.judged("all workers killed at once", felt={LOST}, budget=budget, history="at most")
    with trial_at(folder / "stopped") as trial:
        with trial.running():
            _replace(trial, [min(trial.service.workers())], signal.SIGSTOP)
        budget = Budget(STUCK_SECONDS + OPERATION, STUCK_SECONDS + OPERATION)
        yield trial.judged("a worker is stopped (SIGSTOP)", felt={LOST}, budget=budget, history="at most")


def _replace(trial: Trial, doomed: Collection[int], number: signal.Signals) -> None:
    """Send workers a signal and wait until others have replaced them."""
    before = len(trial.service.workers())
    for worker in doomed:
        os.kill(worker, number)
    eventually(lambda: len(trial.service.workers() - {*doomed}) == before)
    trial.end()


def providers(folder: Path) -> Iterator[Row]:
    """Yield a row for look-ups of new companies, with Pix codes beside them."""
    with Simulator() as simulated:
        settings = {"REGISTRY_PROVIDERS": "opencnpj,brasilapi", **simulated.settings}
        with trial_at(folder, **settings) as beside:
            trial = Trial(beside.service, LOOK_UPS)
            with beside.running(), trial.running():
                with simulated.playing("silent"):
                    time.sleep(SILENT_SECONDS)
                trial.end()
            wrong = beside.untouched()
            wait = LOOK_UP_SECONDS + OPERATION
            budget = Budget(wait, wait + OPERATION)
            row = trial.judged(
                "all providers silent", felt={503}, budget=budget, back=BACK_SECONDS, doubt=False
            )
            row.faults += [f"codes beside it: {what}" for what in wrong]
            yield row
