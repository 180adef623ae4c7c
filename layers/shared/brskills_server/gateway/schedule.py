"""Periodic jobs in a thread of the gateway's first process or of a worker; failures are logged."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brskills_server import telemetry
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.gateway.log import report
from brskills_server.runtime.announcer import open_announcer
from brskills_server.runtime.companies import open_companies
from brskills_server.runtime.deliverer import open_thresholds
from brskills_server.runtime.services import Services
from brskills_server.telemetry.figures import JOBS

_system = random.SystemRandom()  # shares no state with another thread or a restored copy

HOUR, MINUTE = 3600.0, 60.0
_ANNOUNCING_SECONDS = 50.0  # at a time, so that other jobs have their turn
_THRESHOLD_SECONDS = 10.0
_FLUSH_SECONDS = 30.0  # sooner than a call would have to write the counts


@dataclass(frozen=True, slots=True)
class Job:
    """A function and its period in seconds. ``at_once``: not first at a random moment of the first period."""

    name: str
    seconds: float
    run: Callable[[], object]
    at_once: bool = False


def gateway_jobs(services: Services, probe_seconds: int) -> tuple[Job, ...]:
    """Return the jobs of a gateway; ``probe_seconds`` 0: providers are not probed."""
    jobs = [Job("tidy", HOUR, lambda: services.maintenance.tidy(int(time.time())))]
    if announcer := open_announcer(services):
        # At once: the first run of all notes the snapshot in place, behind which changes are announced.
        jobs.append(
            Job("announce", MINUTE, lambda: announcer.run(time.monotonic() + _ANNOUNCING_SECONDS), True)
        )
    if probe_seconds:
        jobs.append(Job("probe", probe_seconds, open_companies(services).registry.probe))
    return tuple(jobs)


def webhook_jobs(services: Services) -> tuple[Job, ...]:
    """Return the jobs for webhooks, which do not wait for others."""
    return (Job("thresholds", _THRESHOLD_SECONDS, open_thresholds(services).sweep),)


def worker_jobs(services: Services) -> tuple[Job, ...]:
    """Return the jobs of each worker, which write what it alone has counted."""
    services.tally.flush()  # it is empty; calls leave writing to the job from now on
    return (Job("history", _FLUSH_SECONDS, services.tally.flush),)


class Schedule:
    """A thread that runs jobs, one at a time, until it is stopped.

    Periods and most first runs are random, so that gateways started together do not work at the same moments.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[float, float], float] = _system.uniform,
    ) -> None:
        self._clock = clock
        self._chance = chance
        self._next = {job: clock() + (0 if job.at_once else chance(0, job.seconds)) for job in jobs}
        self._stopped = threading.Event()

    def start(self) -> None:
        """Start the thread, which ends with the process."""
        threading.Thread(target=self._run, name="schedule", daemon=True).start()

    def stop(self) -> None:
        """Start no further job."""
        self._stopped.set()

    def run_pending(self) -> float:
        """Run the jobs whose time has come. Return the seconds until the next."""
        for job in [job for job, at in self._next.items() if at <= self._clock()]:
            _run(job)
            self._next[job] = self._clock() + job.seconds * self._chance(0.9, 1.1)
        return max(0.0, min(self._next.values()) - self._clock())

    def _run(self) -> None:
        while not self._stopped.wait(self.run_pending()):
            pass


def _run(job: Job) -> None:
    try:
        job.run()
    except Exception as error:
        reason = str(error) if isinstance(error, StoreUnavailable) else ""  # others may quote a caller
        report("scheduled work failed", job=job.name, error=type(error).__name__, reason=reason)
        telemetry.count(JOBS, job.name, "failed")
    else:
        telemetry.count(JOBS, job.name, "done")
