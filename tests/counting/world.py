"""One schedule over a store: its requests as routes make them, with faults, deaths and a clock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from pydantic import BaseModel

from access import DEMO as DEMO_PLAN
from access import PLANS, Account, Caller, Ledger, Session
from access.address import SITE_ALLOWANCE
from access.claim import ATTEMPT_SECONDS, claim_of
from access.errors import AccessError, StoreUnavailable, UncountedLimit
from access.ports import AccessStore, CallRefused, ClaimChanged
from skills.refusals import Refusal
from skills.skill import Call, Skill, Texts, perform
from tests.conftest import Clock
from tests.counting.crew import Crew
from tests.counting.recount import SITE, Entry, Recount
from tests.counting.schedule import ACCOUNT, DEMO, WORKERS, Request, Schedule
from web.sessions import taking_allowance

__all__ = ["World"]

_REPEATS_OF_A_FAULT = 0.4
_RESERVING = ("reserve_calls", "reserve_demo_calls")
_SMALL = {
    name: PLANS[name]._replace(free_absences=2, uncounted_a_minute=100, uncounted_a_month=300)
    for name in ("free", "demo")
}
"""Plans whose allowances a schedule uses up."""


class Death(BaseException):
    """The worker does nothing any more."""


@dataclass
class Worker:
    """A process. ``failing``: its last operation failed."""

    ledger: Ledger
    is_dead: bool = False
    failing: bool = False
    attempts: list[Attempt] = field(default_factory=list)


@dataclass
class Attempt:
    """A request at work; ``counted``: calls that it counted, or marked as answered, in ``entry``.

    ``is_unconfirmed``: an operation of it failed, and it may have calls that are still to be taken back.
    """

    number: int
    request: Request
    worker: Worker
    claim: str = ""
    entry: Entry = field(default_factory=Entry)
    counted: int = 0
    is_over: bool = False
    is_unconfirmed: bool = False


class World:
    """Two workers of one account and one address that uses the demo key. ``trace``: takes what happens."""

    def __init__(
        self,
        store: AccessStore,
        crew: Crew,
        schedule: Schedule,
        random: Random,
        names: tuple[str, str, str],
        trace: Callable[[str], None] | None = None,
    ) -> None:
        self.recount = Recount()
        self.clock = Clock(schedule.began)
        self.deaths = 0
        self._attempts = 0
        self._store, self._crew, self._schedule, self._random = store, crew, schedule, random
        self._trace = trace
        self._at_work = threading.local()
        self._healthy = False
        self._left_of_attempts = 0.0
        self._callers = {
            ACCOUNT: Caller(names[0], names[0]),
            DEMO: Caller(DEMO_PLAN, "demo-key", names[1], names[2] if schedule.has_site else ""),
        }
        limit = None if schedule.plan == "enterprise" else schedule.limits[ACCOUNT]
        assert store.open_account(Account(names[0], schedule.plan, limit, {names[0]: 0}))
        demo_limit = schedule.limits[DEMO]
        self._limits = {names[0]: limit, names[1]: demo_limit, names[2]: SITE_ALLOWANCE * demo_limit}
        self._workers = [self._new_worker() for _ in range(WORKERS)]

    def run(self, bystander: Caller) -> list[str]:
        """Run the schedule and let the store heal; return what does not hold."""
        with patch.dict(PLANS, _SMALL):
            return self._run(bystander)

    def _run(self, bystander: Caller) -> list[str]:
        for phase in self._schedule.phases:
            if phase.gap > ATTEMPT_SECONDS * 60:
                self._heal(bystander)  # a store is not out of order for a day
            self.clock.now += phase.gap
            self._left_of_attempts = ATTEMPT_SECONDS - 1
            actors = [self._actor(request) for request in phase.requests]
            self._crew.run(actors, self._random, self._pass_time)
        self._heal(bystander)
        return self._faults()

    def _actor(self, request: Request) -> Callable[[], None]:
        def act() -> None:
            worker = self._workers[request.worker]
            if worker.is_dead:
                worker = self._workers[request.worker] = self._new_worker()
            self._attempts += 1
            self._attempt(Attempt(self._attempts, request, worker))

        return act

    def _attempt(self, attempt: Attempt) -> None:
        self._at_work.attempt = attempt
        attempt.worker.attempts.append(attempt)
        request = attempt.request
        session = Session(attempt.worker.ledger, self._callers[request.caller])
        if request.key:
            attempt.claim = claim_of(session.caller, request.key, b"").id
        outcome: object
        try:
            with taking_allowance(session, SimpleNamespace(body=b"")):  # type: ignore[arg-type]
                self._perform(session, request)
            outcome = session.calls
            self._answered(attempt, session.calls)
        except Death as death:
            outcome = death
        except (AccessError, Refusal) as error:
            outcome = error
        attempt.is_over = True
        self._note(attempt, f"-> {outcome!r}")

    def _perform(self, session: Session, request: Request) -> None:
        call = Call(session, "pt", _not_here, lambda *_: request.outcomes, request.key)
        content = {"calls": request.calls, "variant": request.variant, "partial": request.partial}
        perform(_SKILL, content, call, lambda answer: answer)

    def _answered(self, attempt: Attempt, calls: int) -> None:
        entry = self._entry(attempt)
        entry.answered = max(entry.answered, calls)

    def _new_worker(self) -> Worker:
        store: Any = _Failing(self)
        return Worker(Ledger(store, self._schedule.limits[DEMO], self.clock))

    def _pass_time(self) -> None:
        if self._random.random() < 0.1:
            seconds = self._random.uniform(0, min(20, self._left_of_attempts))
            self._left_of_attempts -= seconds
            self.clock.now += seconds

    def _heal(self, bystander: Caller) -> None:
        """A later call of each worker finds a store that answers."""
        self._healthy = True
        for worker in self._workers:
            if not worker.is_dead:
                self._at_work.attempt = Attempt(0, _BYSTANDER, worker)
                worker.ledger.reserve(bystander)
        self._healthy = False

    def operate(self, operation: str, arguments: tuple[Any, ...]) -> Any:
        """One operation of the store by whoever is at work in this thread."""
        attempt: Attempt = self._at_work.attempt
        self._crew.step()
        if attempt.worker.is_dead:
            raise Death
        if operation == "release":
            self.recount.seen(arguments[0], self._owner(attempt, arguments[0].caller.address))
        fault, dies = self._draw(attempt.worker)
        self._note(attempt, f"{operation} {arguments[:1]} {arguments[-2:]} {fault}{' death' * dies}")
        if fault == "before":
            raise self._failure(attempt, operation, dies=dies, is_applied=False)
        is_applied = True
        try:
            result = getattr(self._store, operation)(*arguments)
        except (CallRefused, ClaimChanged):
            if not fault:
                raise
            is_applied = False
        else:
            is_applied = self._record(attempt, operation, arguments, result)
        if fault:
            raise self._failure(attempt, operation, dies=dies, is_applied=is_applied)
        return result

    def _draw(self, worker: Worker) -> tuple[str, bool]:
        """Whether the operation fails ``before`` or ``after`` it is applied, and whether the worker dies."""
        likely = _REPEATS_OF_A_FAULT if worker.failing else self._schedule.faults
        dies = not self._healthy and self._random.random() < self._schedule.deaths
        worker.failing = not self._healthy and (dies or self._random.random() < likely)
        return (self._random.choice(("before", "after")) if worker.failing else ""), dies

    def _record(self, attempt: Attempt, operation: str, arguments: tuple[Any, ...], result: Any) -> bool:
        """Recount what was applied; return whether anything was."""
        is_elsewhere = attempt.request is _BYSTANDER and operation in _RESERVING
        if result is None or result is False or is_elsewhere:
            return False
        owner = self._owner(attempt, arguments[0])
        if owner == SITE and operation in _RESERVING:
            self.recount.reserved(owner, operation, arguments)
        elif operation in _RESERVING:
            attempt.counted = self.recount.reserved(owner, operation, arguments)
        elif operation == "answer_claim":
            attempt.counted = max(attempt.counted, arguments[1])
        if owner != SITE and operation in (*_RESERVING, "answer_claim"):
            attempt.entry = self._entry(attempt)
        elif operation == "release":
            self.recount.released(arguments[0], arguments[1] if len(arguments) > 1 else None)
        self._check_months()
        return True

    def _failure(self, attempt: Attempt, operation: str, *, dies: bool, is_applied: bool) -> BaseException:
        if dies:
            self._kill(attempt.worker)
            return Death()
        if is_applied and operation in (*_RESERVING, "answer_claim"):
            attempt.entry.doubtful += attempt.counted
        attempt.is_unconfirmed = True
        return StoreUnavailable(f"{operation} failed")

    def _owner(self, attempt: Attempt, holder: object) -> Hashable:
        """The request that calls of a holder are recorded under."""
        site = self._callers[DEMO].site
        return SITE if site and holder == site else attempt.number

    def _kill(self, worker: Worker) -> None:
        """End a worker: what it still had to do or to take back stays counted."""
        worker.is_dead = True
        self.deaths += 1
        for attempt in worker.attempts:
            if not attempt.is_over or attempt.is_unconfirmed:
                attempt.entry.orphaned += attempt.counted

    def _entry(self, attempt: Attempt) -> Entry:
        if attempt.claim:
            return self.recount.entry_of_claim(attempt.claim)
        return self.recount.entry(attempt.number)

    def _check_months(self) -> None:
        for (holder, name), calls in self.recount.months.items():
            limit = self._limits.get(holder)
            assert calls >= 0, f"{calls} calls of {holder} in {name}"
            assert limit is None or calls <= limit, f"{calls} of {limit} calls of {holder} in {name}"
            site = self._callers[DEMO].site
            if site and holder == self._callers[DEMO].address:
                assert calls <= self.recount.months[site, name], f"the /48 has fewer calls than {holder}"

    def _faults(self) -> list[str]:
        """What does not hold after the end."""
        found = [fault for entry in self.recount.requests for fault in entry.faults()]
        callers = [*self._callers.values()]
        if site := self._callers[DEMO].site:
            callers.append(self._callers[DEMO]._replace(address=site))
            months = self.recount.months
            if not self._schedule.faults + self._schedule.deaths and any(
                months[site, name] != calls
                for (holder, name), calls in months.items()
                if holder != self._callers[ACCOUNT].account
            ):
                found.append(f"the /48 has other calls than its address: {months}")
        for caller in callers:
            holder = caller.address or caller.account
            months = self.recount.months.items()
            ours = {name: calls for (of, name), calls in months if of == holder and calls}
            theirs = {name: calls for name, calls in self._calls(caller).items() if calls}
            if ours != theirs:
                found.append(f"{holder}: the store has {theirs}, recounted {ours}")
            free = max((n for (of, _), n in self.recount.free.items() if of == holder), default=0)
            allowed = PLANS[DEMO_PLAN if caller.is_demo else self._schedule.plan].free_absences
            if allowed is not None and holder != site and free > allowed:
                found.append(f"{holder}: {free} of {allowed} free absences")
        return found

    def _calls(self, caller: Caller) -> Mapping[str, int]:
        if caller.is_demo:
            return self._store.demo_calls(caller.address)
        account = self._store.read_account(caller.account)
        assert account is not None
        return account.calls

    def _note(self, attempt: Attempt, text: str) -> None:
        if self._trace:
            worker = self._workers.index(attempt.worker) if attempt.worker in self._workers else "dead"
            self._trace(f"{self.clock.now:.0f} worker {worker} request {attempt.number} {text}")


class _Failing:
    """A worker's store, each of whose operations waits for its turn and may fail."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        return lambda *arguments: self._world.operate(operation, arguments)


def _not_here(*_: Any) -> Any:
    raise NotImplementedError


def _answer(content: dict[str, Any], call: Call) -> None:
    """Answer items as the skills do that look companies up: each absence by itself, then the failures."""
    failed = 0
    call.session.items = max(1, content["calls"])
    for outcome in call.find_companies((), None)[: call.session.calls]:  # type: ignore[arg-type]
        if outcome != "found":
            try:
                call.session.before_asking()
            except UncountedLimit:
                failed += 1
                continue
        if outcome == "absent":
            call.session.release_absence()
        failed += outcome == "failed"
    call.session.release(min(failed, call.session.calls))


_SKILL = Skill(
    "counting", "", Texts(*[""] * 7), BaseModel, BaseModel, _answer, (),
    prepare=lambda content: content,
    counts=lambda content: content["calls"],
    partial=lambda content: content["partial"],
)  # fmt: skip
_BYSTANDER = Request(ACCOUNT, 0, 1, (), partial=False, key=None)
