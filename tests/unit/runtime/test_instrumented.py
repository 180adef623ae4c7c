"""Instrumented stores record their operations, and behave as before."""

from __future__ import annotations

from typing import Any

import pytest

from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import InvalidKey, StoreUnavailable
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.ports import AccountCalls
from brskills_server.metering.quota import Reservation
from brskills_server.registry.store import StoreFault
from brskills_server.runtime.instrumented import instrumented
from brskills_server.telemetry.figures import GRANTS, LEDGER, STORE_FAILURES
from tests.fakes.figures import remembered
from tests.unit.accounts.granted import World, terms_of

NUMBER = "33000167000101"


@pytest.fixture
def ledger(store: AccessStore, clock) -> Ledger:
    return Ledger(instrumented(store, "access"), demo_limit=1, clock=clock)


def test_what_the_ledger_writes_is_told_by_what_came_of_it(accounts, store, ledger: Ledger) -> None:
    free, _ = accounts.identify(accounts.open("free").api_key)
    unlimited, _ = accounts.identify(accounts.open("enterprise").api_key)
    store.set_plan(free.account, "free", 2)
    demo = Caller("demo", "k", "somewhere")
    with remembered() as recorder:
        taken = [ledger.reserve(caller) for caller in (free, free, unlimited, unlimited, demo)]
        for caller in (free, demo):
            with pytest.raises(QuotaExceeded):
                ledger.reserve(caller)
        with pytest.raises(InvalidKey):
            ledger.reserve(Caller("acc_unknown", "k"))
        ledger.releases.apply(taken[0])
        assert ledger.releases.apply_absence(taken[1])
        assert ledger.releases.apply_absence(taken[2])  # where all are free, it is an ordinary release
        ledger.releases.apply(taken[4])
        assert not ledger.releases.apply_absence(Reservation(free, taken[1].quota))
    assert recorder.of(LEDGER) == {
        ("reserve", "done"): 5,
        ("reserve", "refused"): 3,
        ("release", "done"): 3,
        ("release_absence", "done"): 1,
        ("release_absence", "refused"): 1,
    }
    assert recorder.of(STORE_FAILURES) == {}


def test_what_is_written_of_grants_is_told_and_of_whom_is_not(store, clock) -> None:
    world = World.new(store, clock)
    grants = world.grants(instrumented(store, "access"))
    with remembered() as recorder:
        code = grants.open(world.caller, terms_of(world.client))
        first = world.redeem(code, grants)
        found = grants.find_refresh(first.refresh_token)
        for _ in range(2):
            grants.refresh(found, first.refresh_token)
        assert not grants.end(world.caller.account, found.id)
        with pytest.raises(StoreUnavailable):
            instrumented(Away(StoreUnavailable("away")), "access").change_grant(found)
    assert recorder.of(GRANTS) == {
        ("open", "done"): 1,
        ("renew", "done"): 2,
        ("renew", "refused"): 1,
        ("renew", "failed"): 1,
        ("end", "done"): 1,
        ("end", "refused"): 1,
    }
    assert recorder.of(LEDGER) == {}


class Away:
    def __init__(self, error: Exception) -> None:
        self.error = error

    def __getattr__(self, name: str) -> Any:
        def fail(*_: Any, **__: Any) -> None:
            raise self.error

        return fail


def test_what_fails_is_told_by_its_operation() -> None:
    store: Any = instrumented(Away(StoreUnavailable("away")), "access")
    companies: Any = instrumented(Away(StoreFault()), "companies")
    with remembered() as recorder:
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                store.reserve_calls(AccountCalls("acc", "k", "2026-11", "2025-10", now=1))
        with pytest.raises(StoreUnavailable):
            store.ping()
        with pytest.raises(StoreFault):
            companies.load(NUMBER)
    assert recorder.of(STORE_FAILURES) == {
        ("access", "reserve_calls"): 2,
        ("access", "ping"): 1,
        ("companies", "load"): 1,
    }
    assert recorder.of(LEDGER) == {("reserve", "failed"): 2}
