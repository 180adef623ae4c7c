"""One schedule over a store: its requests as routes make them, and a clock."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any
from unittest.mock import patch

from brskills_server.accounts.account import DEMO as DEMO_PLAN
from brskills_server.accounts.account import Account, Caller
from brskills_server.accounts.errors import AccessError
from brskills_server.accounts.network_hash import SITE_ALLOWANCE
from brskills_server.accounts.plans import PLANS
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS, identify_request
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.skills.errors import ApiError
from lab.counting.attempt import BYSTANDER, Attempt, Death, Worker
from lab.counting.crew import Crew
from lab.counting.failing import FailingStore
from lab.counting.findings import find_errors
from lab.counting.schedule import ACCOUNT, DEMO, WORKERS, Request, Schedule
from lab.counting.skill import answer
from tests.conftest import Clock

_SMALL = {
    name: PLANS[name]._replace(free_absences=2, uncounted_a_minute=100, uncounted_a_month=300)
    for name in ("free", "demo")
}
"""Plans whose allowances a schedule uses up."""


class World:
    """Two workers of an account and of an address with the demo key. ``trace``: receives each operation."""

    def __init__(
        self,
        store: AccessStore,
        crew: Crew,
        schedule: Schedule,
        random: Random,
        names: tuple[str, str, str],
        trace: Callable[[str], None] | None = None,
    ) -> None:
        self._store, self._crew, self._schedule, self._random = store, crew, schedule, random
        self._trace = trace
        self._clock = Clock(schedule.began)
        self._attempts = 0
        self._left_of_attempts = 0.0
        account, address, site = names
        demo = Caller(DEMO_PLAN, "demo-key", address, site if schedule.has_site else "")
        self._callers = {ACCOUNT: Caller(account, account), DEMO: demo}
        limit, demo_limit = schedule.limits[ACCOUNT], schedule.limits[DEMO]
        limits = {
            account: None if schedule.plan == "enterprise" else limit,
            address: demo_limit,
            site: SITE_ALLOWANCE * demo_limit,
        }
        assert store.open_account(Account(account, schedule.plan, limits[account], {account: 0}))
        self._failing = FailingStore(store, crew, schedule, random, limits, demo, self._note)
        self.recount = self._failing.recount
        self._workers = [self._new_worker() for _ in range(WORKERS)]

    @property
    def deaths(self) -> int:
        """Return how many workers have died."""
        return self._failing.deaths

    def run(self, bystander: Caller) -> list[str]:
        """Run the schedule and let the store heal; return what does not hold."""
        with patch.dict(PLANS, _SMALL):
            for phase in self._schedule.phases:
                if phase.gap > ATTEMPT_SECONDS * 60:
                    self._heal(bystander)  # a store is not out of order for a day
                self._clock.now += phase.gap
                self._left_of_attempts = ATTEMPT_SECONDS - 1
                actors = [self._actor(request) for request in phase.requests]
                self._crew.run(actors, self._random, self._pass_time)
            self._heal(bystander)
            return find_errors(self._store, self.recount, self._schedule, [*self._callers.values()])

    def _actor(self, request: Request) -> Callable[[], None]:
        def act() -> None:
            worker = self._workers[request.worker]
            if worker.is_dead:
                worker = self._workers[request.worker] = self._new_worker()
            self._attempts += 1
            self._attempt(Attempt(self._attempts, request, worker))

        return act

    def _attempt(self, attempt: Attempt) -> None:
        self._failing.at_work.attempt = attempt
        attempt.worker.attempts.append(attempt)
        session = Session(attempt.worker.ledger, self._callers[attempt.request.caller])
        if attempt.request.key:
            attempt.claim = identify_request(session.caller, attempt.request.key, b"").id
        outcome: object
        try:
            outcome = answered = answer(session, attempt.request)
            entry = self._failing.entry(attempt)
            entry.answered = max(entry.answered, answered)
        except (Death, AccessError, ApiError) as error:
            outcome = error
        attempt.is_over = True
        self._note(attempt, f"-> {outcome!r}")

    def _new_worker(self) -> Worker:
        store: Any = self._failing
        return Worker(Ledger(store, self._schedule.limits[DEMO], self._clock))

    def _pass_time(self) -> None:
        if self._random.random() < 0.1:
            seconds = self._random.uniform(0, min(20, self._left_of_attempts))
            self._left_of_attempts -= seconds
            self._clock.now += seconds

    def _heal(self, bystander: Caller) -> None:
        """Let each worker make a later call, over a store that answers."""
        self._failing.is_healthy = True
        for worker in self._workers:
            if not worker.is_dead:
                self._failing.at_work.attempt = Attempt(0, BYSTANDER, worker)
                worker.ledger.reserve(bystander)
        self._failing.is_healthy = False

    def _note(self, attempt: Attempt, text: str) -> None:
        if self._trace:
            worker = self._workers.index(attempt.worker) if attempt.worker in self._workers else "dead"
            self._trace(f"{self._clock.now:.0f} worker {worker} request {attempt.number} {text}")
