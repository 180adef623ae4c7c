"""Attempts at one repeated request by separate workers, each of which may fail at any store operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from brskills_server.accounts.account import DEMO, Caller
from brskills_server.accounts.errors import AccessError, StoreUnavailable
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS, IdempotencyRecord, identify_request
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from tests.conftest import Clock
from tests.unit.turns import Step, together

MONTH = "2026-11"
FAULTS = ("before", "after", "death before", "death after")
"""An operation fails before or after it is applied, or the worker crashes there."""


class Death(BaseException):
    """The worker has crashed."""


@dataclass(frozen=True)
class Attempt:
    """Of ``calls``, numbers of ``absent`` and ``failed`` ones; ``fault``: of operation ``at``.

    ``late``: its worker's clock is so far ahead that others at the request seem to have crashed.
    """

    calls: int = 1
    absent: int = 0
    failed: int = 0
    partial: bool = False
    request: bytes = b"asked"
    fault: str = ""
    at: int = 0
    late: bool = False


@dataclass
class World:
    """A caller with a key, a clock, the answers so far, and the calls of other requests."""

    store: AccessStore
    clock: Clock
    caller: Caller
    limit: int
    key: str = "key"
    elsewhere: int = 0
    given: list[int] = field(default_factory=list)

    @property
    def counted(self) -> int:
        """The calls of the month."""
        if self.caller.is_demo:
            return self.store.demo_calls(self.caller.address).get(MONTH, 0)
        account = self.store.read_account(self.caller.account)
        return account.calls.get(MONTH, 0)

    @property
    def kept(self) -> IdempotencyRecord | None:
        """The claim as it is."""
        return self.store.read_idempotency_record(
            identify_request(self.caller, self.key, b"").id, int(self.clock())
        )

    @property
    def fullest(self) -> int:
        """The calls of the fullest answer that was given."""
        return max(self.given, default=0)

    def check(self) -> None:
        """What holds at every moment."""
        counted, kept = self.counted, self.kept
        assert counted == (kept.calls if kept else 0) + self.elsewhere
        assert kept is None or 0 <= kept.answered <= kept.calls > 0
        assert self.fullest <= counted <= self.limit

    def run(self, attempt: Attempt, step: Step = lambda action: action()) -> Any:
        """One attempt, as a route makes it: the calls of its answer, or what kept it from one."""
        ahead = ATTEMPT_SECONDS if attempt.late else 0
        ledger = Ledger(_Failing(self, step, attempt), self.limit, lambda: self.clock() + ahead)
        session = Session(ledger, self.caller)
        session.identify(self.key, attempt.request)
        try:
            return self._answer(session, attempt)
        except Death as death:
            return type(death)
        except AccessError as error:
            return type(error)

    def _answer(self, session: Session, attempt: Attempt) -> int:
        session.reserve(attempt.calls, partial=attempt.partial)
        for _ in range(min(attempt.absent, session.calls)):
            session.release_absence()
        session.release(min(attempt.failed, session.calls))
        session.settle()
        self.given.append(session.calls)
        return session.calls


class _Failing:
    """A store whose operations are steps, and whose ``at``-th operation fails."""

    def __init__(self, world: World, step: Step, attempt: Attempt) -> None:
        self._world = world
        self._step = step
        self._attempt = attempt
        self._done = 0

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        return lambda *of: self._step(lambda: self._do(getattr(self._world.store, operation), *of))

    def _do(self, operation: Callable[..., Any], *of: Any) -> Any:
        fault = self._attempt.fault if self._done == self._attempt.at else ""
        self._done += 1
        if fault.endswith("before"):
            raise _error_of(fault)
        try:
            result = operation(*of)
        finally:
            self._world.check()
        if fault:
            raise _error_of(fault)
        return result


def _error_of(fault: str) -> BaseException:
    return Death() if fault.startswith("death") else StoreUnavailable(fault)


def at_once(world: World, order: list[str], attempts: dict[str, Attempt], **others: Any) -> list[Any]:
    """Return the results of concurrent attempts whose steps have this order."""
    actors = {
        name: lambda step, attempt=attempt: world.run(attempt, step) for name, attempt in attempts.items()
    }
    outcomes = together(order, actors | others)
    world.check()
    return outcomes


def demo_world(store: AccessStore, clock: Clock, address: str, limit: int = 9) -> World:
    """Return the world of an address that uses the demo key."""
    return World(store, clock, Caller(DEMO, "demo-key", address), limit)
