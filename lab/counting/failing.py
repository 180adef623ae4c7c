"""A store whose operations wait for their turn, may fail, and are recounted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from random import Random
from typing import Any

from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.ports import CallRefused, RecordChanged
from lab.counting.attempt import BYSTANDER, Attempt, Death, Worker
from lab.counting.crew import Crew
from lab.counting.recount import SITE, Entry, Recount
from lab.counting.schedule import Schedule

_REPEATS_OF_A_FAULT = 0.4
_RESERVING = ("reserve_calls", "reserve_demo_calls")
_COUNTING = (*_RESERVING, "mark_answered")


class FailingStore:
    """One for all workers of a schedule. ``limits``: by holder; ``demo``: who uses the demo key.

    ``note``: takes what happens. ``is_healthy``: nothing fails.
    """

    def __init__(
        self,
        store: AccessStore,
        crew: Crew,
        schedule: Schedule,
        random: Random,
        limits: Mapping[str, int | None],
        demo: Caller,
        note: Callable[[Attempt, str], None],
    ) -> None:
        self.recount = Recount()
        self.at_work = threading.local()
        self.is_healthy = False
        self.deaths = 0
        self._store, self._crew, self._schedule, self._random = store, crew, schedule, random
        self._limits, self._note = limits, note
        self._address, self._site = demo.address, demo.site

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        return lambda *arguments: self._operate(operation, arguments)

    def entry(self, attempt: Attempt) -> Entry:
        """Return the entry of an attempt's calls: its claim's, if it has one."""
        if attempt.claim:
            return self.recount.entry_of_claim(attempt.claim)
        return self.recount.entry(attempt.number)

    def _operate(self, operation: str, arguments: tuple[Any, ...]) -> Any:
        attempt: Attempt = self.at_work.attempt
        self._crew.step()
        if attempt.worker.is_dead:
            raise Death
        if operation == "release":
            self.recount.seen(arguments[0], self._owner(attempt, arguments[0].caller.address))
        fault, dies = self._draw(attempt.worker)
        self._note(attempt, f"{operation} {arguments[:1]} {arguments[-2:]} {fault}{' death' * dies}")
        if fault == "before":
            raise self._failure(attempt, operation, dies=dies, is_applied=False)
        is_applied = False
        try:
            result = getattr(self._store, operation)(*arguments)
            is_applied = self._record(attempt, operation, arguments, result)
        except (CallRefused, RecordChanged):
            if not fault:
                raise
        if fault:
            raise self._failure(attempt, operation, dies=dies, is_applied=is_applied)
        return result

    def _draw(self, worker: Worker) -> tuple[str, bool]:
        """Draw whether it fails ``before`` or ``after`` it is applied, and whether the worker dies."""
        if self.is_healthy:
            worker.failing = False
            return "", False
        dies = self._random.random() < self._schedule.deaths
        likely = _REPEATS_OF_A_FAULT if worker.failing else self._schedule.faults
        worker.failing = dies or self._random.random() < likely
        return (self._random.choice(("before", "after")) if worker.failing else ""), dies

    def _failure(self, attempt: Attempt, operation: str, *, dies: bool, is_applied: bool) -> BaseException:
        if dies:
            attempt.worker.kill()
            self.deaths += 1
            return Death()
        if is_applied and operation in _COUNTING:
            attempt.entry.doubtful += attempt.counted
        attempt.is_unconfirmed = True
        return StoreUnavailable(f"{operation} failed")

    def _record(self, attempt: Attempt, operation: str, arguments: tuple[Any, ...], result: Any) -> bool:
        """Recount what was applied; return whether anything was."""
        is_elsewhere = attempt.request is BYSTANDER and operation in _RESERVING
        if result is None or result is False or is_elsewhere:
            return False
        if operation == "release":
            self.recount.released(arguments[0], arguments[1] if len(arguments) > 1 else None)
        elif operation in _COUNTING:
            self._count(attempt, operation, arguments)
        self._check_months()
        return True

    def _count(self, attempt: Attempt, operation: str, arguments: tuple[Any, ...]) -> None:
        owner: Hashable = attempt.number
        if operation == "mark_answered":
            counted = max(attempt.counted, arguments[1])
        else:
            wanted = arguments[0]
            owner = self._owner(attempt, wanted[0])
            counted = self.recount.reserved(owner, wanted)
        if owner != SITE:
            attempt.counted, attempt.entry = counted, self.entry(attempt)

    def _owner(self, attempt: Attempt, holder: object) -> Hashable:
        """Return the request that calls of a holder are recorded under."""
        return SITE if self._site and holder == self._site else attempt.number

    def _check_months(self) -> None:
        """Check what holds at every moment."""
        months = self.recount.months
        for (holder, name), calls in months.items():
            limit = self._limits.get(holder)
            assert calls >= 0, f"{calls} calls of {holder} in {name}"
            assert limit is None or calls <= limit, f"{calls} of {limit} calls of {holder} in {name}"
            if self._site and holder == self._address:
                assert calls <= months[self._site, name], f"the /48 lacks calls of {holder}"
