"""Calls, releases, changes of plan and of keys over shards in any order, with lost answers, and a model."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.plans import PLANS
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.adapters.dynamodb.table import Table
from brskills_server.metering.idempotency_record import IdempotentRequest, Transition
from brskills_server.metering.ports import AccountCalls, CallRefused
from tests.integration.adapters.dynamodb.faulty import Faulty
from tests.services.releasing import release
from tests.services.simulated_dynamodb import SimulatedDynamoDB

NOW, MONTH, OLDEST = 1_795_000_000, "2026-11", "2025-10"
PROCESSES = 3

processes = st.integers(0, PROCESSES - 1)
places = st.integers(0, 9)  # of a key among those there are or were
few = st.integers(1, 5)
faults = st.none() | st.tuples(st.integers(1, 9), st.booleans())


class Shards(RuleBasedStateMachine):
    """Processes that know what they have seen; the model is a count, a set of keys and a limit."""

    released = Bundle("released")

    @initialize(items=few)
    def open(self, items: int) -> None:
        self.client = SimulatedDynamoDB()
        self.plans = patch.dict(PLANS)
        self.plans.start()
        self.set_items(items)
        self.processes = [self.process() for _ in range(PROCESSES)]
        self.counted = 0
        self.keys, self.ever = {"k1"}, ["k1"]
        self.limit: int | None = None
        self.claims = 0
        assert self.processes[0].open_account(Account("acc_1", "enterprise", None, {"k1": 0}, created_at=NOW))

    def teardown(self) -> None:
        if hasattr(self, "plans"):
            self.plans.stop()

    def process(self, client: Any = None) -> DynamoAccess:
        return DynamoAccess(client or self.client, "Access", "Watches")

    def set_items(self, items: int) -> None:
        PLANS["enterprise"] = PLANS["enterprise"]._replace(rate=items * 500)

    def key_at(self, place: int) -> str:
        return self.ever[-1 - place % len(self.ever)]

    @rule(process=processes, place=places, calls=few, is_idempotent=st.booleans())
    def count(self, process: int, place: int, calls: int, is_idempotent: bool) -> None:
        key, transition = self.key_at(place), None
        if is_idempotent:
            self.claims += 1
            transition = Transition(IdempotentRequest(str(self.claims), "x"), 0, NOW, NOW + 9)
        has_room = self.limit is None or self.counted + calls <= self.limit
        wanted = AccountCalls("acc_1", key, MONTH, OLDEST, NOW, calls, transition)
        try:
            self.processes[process].reserve_calls(wanted)
        except CallRefused:
            assert key not in self.keys or not has_room
        else:
            assert key in self.keys
            assert has_room
            self.counted += calls

    @rule(process=processes, calls=few, fault=st.tuples(st.integers(1, 3), st.booleans()))
    def count_in_doubt(self, process: int, calls: int, fault: tuple[int, bool]) -> None:
        """A process whose answer is lost: what it counted is what the store says."""
        faulty: Any = Faulty(self.client, fault[0], carried_out=fault[1])
        store = self.process(faulty)
        store._known = self.processes[process]._known
        before = self.counted
        try:
            store.reserve_calls(AccountCalls("acc_1", self.key_at(0), MONTH, OLDEST, NOW, calls))
            self.counted += calls
        except StoreUnavailable:
            self.counted = self.total()
            assert self.counted in {before, before + calls}
        except CallRefused:
            pass

    @rule(target=released, process=processes, calls=few, name=st.uuids())
    def release(self, process: int, calls: int, name: Any) -> Any:
        if release(self.processes[process], "acc_1", MONTH, calls, name=str(name)):
            self.counted -= calls
            return str(name)
        assert self.counted < calls
        return ""

    @rule(name=released, process=processes)
    def release_again(self, name: str, process: int) -> None:
        if name:
            assert release(self.processes[process], "acc_1", MONTH, name=name)

    @rule(process=processes, fault=faults)
    def add_key(self, process: int, fault: tuple[int, bool] | None) -> None:
        key = f"k{len(self.ever) + 1}"
        self.ever.append(key)
        if self.change(process, lambda store: store.add_key("acc_1", key), fault):
            self.keys.add(key)

    @rule(process=processes, place=places, fault=faults)
    def rotate(self, process: int, place: int, fault: tuple[int, bool] | None) -> None:
        old, new = self.key_at(place), f"k{len(self.ever) + 1}"
        self.ever.append(new)
        gone = [key for key in self.keys if key != old][:1]

        def change(store: DynamoAccess) -> bool:
            return store.rotate_key("acc_1", old, new, ends=NOW + 9, expired=gone, most=4, now=NOW)

        if self.change(process, change, fault):
            self.keys = {*self.keys, new} - {*gone}

    @rule(process=processes, place=places, fault=faults)
    def revoke(self, process: int, place: int, fault: tuple[int, bool] | None) -> None:
        key = self.key_at(place)
        if self.change(process, lambda store: store.revoke_key("acc_1", key, NOW), fault):
            self.keys.remove(key)

    @rule(process=processes, fault=faults)
    def revoke_all(self, process: int, fault: tuple[int, bool] | None) -> None:
        if self.change(process, lambda store: store.revoke_all_keys("acc_1", NOW), fault):
            self.keys.clear()

    @rule(process=processes, items=few, fault=faults)
    def lift_the_limit(self, process: int, items: int, fault: tuple[int, bool] | None) -> None:
        self.set_items(items)
        if self.change(process, lambda store: store.set_plan("acc_1", "enterprise", None), fault):
            self.limit = None

    @rule(process=processes, limit=st.integers(0, 40), fault=faults)
    def limit_calls(self, process: int, limit: int, fault: tuple[int, bool] | None) -> None:
        if self.change(process, lambda store: store.set_limit("acc_1", limit), fault):
            self.limit = limit

    def change(self, process: int, make: Any, fault: tuple[int, bool] | None) -> bool:
        """Make a change; after a lost answer take keys and limit from the store, and return ``False``."""
        if fault is None:
            return bool(make(self.processes[process]))
        faulty: Any = Faulty(self.client, fault[0], carried_out=fault[1])
        try:
            return bool(make(self.process(faulty)))
        except StoreUnavailable:
            found = self.process().read_usage("acc_1")
            assert found is not None
            self.keys, self.limit = set(found.keys), found.monthly_limit
            return False

    def total(self) -> int:
        found = self.process().read_usage("acc_1")
        assert found is not None
        return found.calls.get(MONTH, 0)

    @invariant()
    def holds(self) -> None:
        found = self.process().read_usage("acc_1")
        assert found is not None
        assert (found.calls.get(MONTH, 0), set(found.keys), found.monthly_limit) == (
            self.counted,
            self.keys,
            self.limit,
        )
        own, *shards = Table(self.client, "Access").scan("ACCOUNT#")
        assert min(item.get(f"calls#{MONTH}", 0) for item in (own, *shards)) >= 0
        assert len(shards) + 1 == own.get("shards", own.get("joining", 1))
        assert not shards or "monthly_limit" not in own
        assert {tuple(item.get("keys", ())) for item in shards} <= {
            tuple(own["keys"]) if "shards" in own else ()
        }


Shards.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestShards = Shards.TestCase
