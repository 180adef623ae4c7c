"""Work that is due every so often, in a thread of the gateway's first process or of each worker.

A round that fails leaves a line in the log, and the next one comes all the same.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brskills_server import telemetry
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.gateway.log import report
from brskills_server.runtime.services import Services
from brskills_server.telemetry.figures import JOBS

__all__ = ["Job", "Schedule", "jobs_of", "jobs_of_worker"]

HOUR = 3600.0
_FLUSH_SECONDS = 30.0  # sooner than a call would have to write what was counted


@dataclass(frozen=True, slots=True)
class Job:
    """``run`` is due every so many ``seconds``, whatever it raises."""

    name: str
    seconds: float
    run: Callable[[], object]


def jobs_of(services: Services, probe_seconds: int) -> tuple[Job, ...]:
    """Return the jobs of a deployment; ``probe_seconds`` 0: providers are not probed."""
    tidy = Job("tidy", HOUR, lambda: services.maintenance.tidy(int(time.time())))
    return (tidy, Job("probe", probe_seconds, services.probe)) if probe_seconds else (tidy,)


def jobs_of_worker(services: Services) -> tuple[Job, ...]:
    """What each worker does, with what it alone knows."""
    services.tally.flush()  # there is nothing yet: from now on no call has to
    return (Job("history", _FLUSH_SECONDS, services.tally.flush),)


class Schedule:
    """Runs jobs, one at a time, until it is stopped.

    A job's first round comes at any moment of its first period, and the others a tenth sooner or later than
    they are due: so the copies of a service that were started together do not work together.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._clock = clock
        self._chance = chance
        self._due = {job: clock() + chance(0, job.seconds) for job in jobs}
        self._stopped = threading.Event()

    def start(self) -> None:
        """Begin, in a thread that ends with the process."""
        threading.Thread(target=self._run, name="schedule", daemon=True).start()

    def stop(self) -> None:
        """Begin no further round."""
        self._stopped.set()

    def run_due(self) -> float:
        """Run what is due; returns the seconds until something is due again."""
        for job in [job for job, due in self._due.items() if due <= self._clock()]:
            _run(job)
            self._due[job] = self._clock() + job.seconds * self._chance(0.9, 1.1)
        return max(0.0, min(self._due.values()) - self._clock())

    def _run(self) -> None:
        while not self._stopped.wait(self.run_due()):
            pass


def _run(job: Job) -> None:
    try:
        job.run()
    except Exception as failure:
        reason = str(failure) if isinstance(failure, StoreUnavailable) else ""  # of others, who knows
        report("scheduled work failed", job=job.name, error=type(failure).__name__, reason=reason)
        telemetry.count(JOBS, job.name, "failed")
    else:
        telemetry.count(JOBS, job.name, "done")
