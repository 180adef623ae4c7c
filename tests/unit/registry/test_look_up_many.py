"""Many look-ups at once: as many single ones would end, within limits, in simulated time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from threading import Lock
from typing import Any

import pytest

from brskills_server.registry.answer import Answer
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.lookup.blocking_lookup import MANY_SECONDS, BlockingLookup, Outcome
from brskills_server.registry.lookup.local_lookup import PendingLookup
from brskills_server.registry.query import Freshness, Query, Repetition
from brskills_server.registry.store import StoreFault
from tests.simulator.clock import VirtualLoop
from tests.simulator.companies import numbers
from tests.simulator.replies import Reply, truth
from tests.unit.registry.conftest import ALL, DAY, Bench, slow

ANY = Freshness()
KNOWN, NOBODY = numbers("11222333", 100), numbers("99222333", 3)


class Loop:
    """The bench's loop as the process's one: ``LoopThread`` without its thread."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def run(self, work: Coroutine[Any, Any, Any], seconds: float) -> Any:
        return self._bench.loop.run_until_complete(asyncio.wait_for(work, seconds))


class HeldUp:
    """A loop that is held up."""

    def run(self, work: Coroutine[Any, Any, Any], seconds: float) -> Any:
        work.close()
        raise TimeoutError


def many(
    bench: Bench, queries: list[str] | list[Query], loop: Any = None, freshness: Freshness = ANY, **more: Any
) -> list[Outcome]:
    lookup = BlockingLookup(bench.first)
    lookup._loop = loop or Loop(bench)
    return lookup.look_up_many(
        [query if isinstance(query, Query) else Query(query, freshness) for query in queries], **more
    )


def shown(outcome: Outcome) -> Any:
    """The content of an answer or of an exception."""
    return outcome.content() if isinstance(outcome, Answer) else (type(outcome), vars(outcome))


class Asking:
    """The providers' look-up in some seconds, which notes the companies under way."""

    def __init__(self, seconds: float, ends_by: dict[str, Exception] | None = None) -> None:
        self.seconds, self.ends_by = seconds, ends_by or {}
        self.now, self.most = 0, 0
        self.begun: list[str] = []

    async def __call__(self, pending: PendingLookup) -> Answer:
        cnpj = pending.query.cnpj
        self.begun.append(cnpj)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.now -= 1
        if cnpj in self.ends_by:
            raise self.ends_by[cnpj]
        return Answer(f'{{"cnpj":"{cnpj}"}}', 0, 0)


def asking(bench: Bench, monkeypatch: pytest.MonkeyPatch, *given: Any) -> Asking:
    made = Asking(*given)
    monkeypatch.setattr(bench.first, "look_up", made)
    return made


def found(outcomes: list[Outcome]) -> list[bool]:
    return [isinstance(outcome, Answer) for outcome in outcomes]


def test_each_ends_as_a_single_one() -> None:
    asked = [*KNOWN[:10], *NOBODY, "SANDBOX1000170", "SANDBOX4000103", "SANDBOX5000158", "SANDBOX6000100"]

    def outcomes(*, together: bool) -> list[Any]:
        bench = Bench(VirtualLoop())
        bench.look_up(KNOWN[0])  # is stored from now on, and the day of the dump is known
        bench.missing(NOBODY[0])
        bench.providers.play("opencnpj", lambda p, c: Reply(500, b"") if c in KNOWN[5:8] else truth(p, c))
        bench.providers.play("brasilapi", lambda p, c: Reply(500, b"") if c == KNOWN[6] else truth(p, c))
        found: list[Outcome] = []
        for cnpj in () if together else asked:
            try:
                found.append(bench.look_up(cnpj))
            except (CompanyNotFound, SourcesUnavailable) as error:
                found.append(error)
        found += many(bench, asked) if together else []
        bench.loop.close()
        return [shown(outcome) for outcome in found]

    assert outcomes(together=True) == outcomes(together=False)


def test_the_first_of_all_know_the_day_of_their_data_too(bench: Bench) -> None:
    bench.providers.play("opencnpj", slow(0.1))
    assert {shown(outcome)["data_base"] for outcome in many(bench, KNOWN[:30])} == {"2026-09-15"}
    assert [path for _, path, _ in bench.providers.calls].count("/info") == 1


def test_ten_companies_are_looked_up_at_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    assert many(bench, []) == []
    made = asking(bench, monkeypatch, 1.0)
    assert [shown(outcome)["cnpj"] for outcome in many(bench, KNOWN)] == KNOWN
    assert (made.most, made.begun, bench.loop.time()) == (10, KNOWN, 10.0)


def test_what_is_not_done_in_twenty_seconds_is_unavailable_and_the_others_stand(bench, monkeypatch) -> None:
    assert MANY_SECONDS == 20.0
    made = asking(bench, monkeypatch, 9.0)
    outcomes = many(bench, KNOWN)
    assert found(outcomes) == [True] * 20 + [False] * 80
    assert {(type(late), late.retry_after >= 1) for late in outcomes[20:]} == {(SourcesUnavailable, True)}  # type: ignore[union-attr]
    assert bench.loop.time() == pytest.approx(20.0, abs=0.5)
    # Nothing runs on: those under way were ended, the others never begun.
    assert (made.now, made.begun) == (0, KNOWN[:30])
    assert asyncio.all_tasks(bench.loop) == set()


@pytest.mark.parametrize("is_blocked", [False, True])
def test_what_is_late_is_answered_by_an_older_record_where_that_serves(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, is_blocked: bool
) -> None:
    bench.look_up(KNOWN[1])
    bench.sleep(2 * DAY)
    asking(bench, monkeypatch, 3600.0)
    loop = HeldUp() if is_blocked else None
    late, older = many(bench, KNOWN[:2], loop, seconds=1.0)
    assert isinstance(late, SourcesUnavailable)
    assert isinstance(older, Answer)
    assert (older.stale, older.age) == (True, 2 * DAY)
    _, demanded = many(bench, KNOWN[:2], loop, seconds=1.0, freshness=Freshness(60))
    assert isinstance(demanded, SourcesUnavailable)


def test_silent_providers_delay_only_their_own_companies(bench: Bench) -> None:
    for provider in ALL:
        bench.providers.play(
            provider, lambda p, c: Reply(200, b"", manner="silent") if c in KNOWN[3:50] else truth(p, c)
        )
    bench.look_up(KNOWN[90])
    outcomes = many(bench, [*KNOWN[:10], KNOWN[90]])
    assert found(outcomes) == [True] * 3 + [False] * 7 + [True]
    assert bench.loop.time() <= 20
    assert asyncio.all_tasks(bench.loop) == set()


@pytest.mark.parametrize("step", ["local", "look_up", "fall_back"])
def test_an_unexpected_error_affects_one_item_only(bench, monkeypatch, step) -> None:
    asking(bench, monkeypatch, 1.0, {KNOWN[1]: ZeroDivisionError()} if step == "look_up" else {})
    if step == "local":
        monkeypatch.setattr(
            bench.first.local, "look_up_stored", failing_for(KNOWN[1], bench.first.local.look_up_stored)
        )
    if step == "fall_back":
        monkeypatch.setattr(bench.first, step, failing_for(KNOWN[1], bench.first.fall_back))
    outcomes = many(bench, KNOWN[:3], HeldUp() if step == "fall_back" else None)
    assert isinstance(outcomes[1], ZeroDivisionError)
    others = SourcesUnavailable if step == "fall_back" else Answer
    assert [type(outcomes[0]), type(outcomes[2])] == [others, others]


def failing_for(cnpj: str, step: Any) -> Any:
    def run(asked: Any, *more: Any) -> Any:
        if cnpj == getattr(asked, "query", asked).cnpj:
            raise ZeroDivisionError
        return step(asked, *more)

    return run


def test_what_is_not_permitted_is_not_asked(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise PermissionError

    bench.look_up(KNOWN[0])
    made = asking(bench, monkeypatch, 1.0)
    queries = [Query(KNOWN[0], before_asking=refuse), Query(KNOWN[1], before_asking=refuse), Query(KNOWN[2])]
    stored, refused, asked = many(bench, queries)
    assert isinstance(stored, Answer)
    assert isinstance(refused, PermissionError)
    assert isinstance(asked, Answer)
    assert made.begun == [KNOWN[2]]


def test_a_single_caller_waits_twelve_seconds_for_the_loop(bench: Bench) -> None:
    waits: list[float] = []

    class Waiting(HeldUp):
        def run(self, work: Coroutine[Any, Any, Any], seconds: float) -> Any:
            waits.append(seconds)
            super().run(work, seconds)

    lookup = BlockingLookup(bench.first)
    lookup._loop = Waiting()  # type: ignore[assignment]
    with pytest.raises(SourcesUnavailable):
        lookup.look_up(PendingLookup(Query(KNOWN[0])))
    assert waits == [12.0]


@pytest.mark.parametrize("repetition", [None, Repetition(DAY, False, lambda: True)])
def test_a_slow_store_is_not_read_beyond_the_time(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, repetition: Repetition | None
) -> None:
    reads, counting = [], Lock()

    def slowly(cnpjs: Any) -> None:
        with counting:
            reads.append(cnpjs)
        time.sleep(0.1)
        raise StoreFault

    monkeypatch.setattr(bench.store, "load", slowly)
    monkeypatch.setattr(bench.store, "load_many", slowly)
    outcomes = many(bench, [Query(number, repetition=repetition) for number in KNOWN], seconds=0.05)
    assert {type(outcome) for outcome in outcomes} == {SourcesUnavailable}
    assert len(reads) <= (16 if repetition else 1)  # one for each reader
    assert bench.providers.calls == []


def test_a_snapshot_that_is_first_is_read_once_and_a_damaged_row_is_of_one_company(bench: Bench) -> None:
    bench.snapshot.rows |= {KNOWN[1]: ("too few fields", "NAME"), KNOWN[2]: ("", "")}
    asked = ["SANDBOX1000170", *KNOWN[:4], KNOWN[0], NOBODY[0]]
    lookup = BlockingLookup(bench.instance("receita", *ALL))
    lookup._loop = Loop(bench)  # type: ignore[assignment]
    *found, missing = lookup.look_up_many([*map(Query, asked)])
    sources = ["sandbox", "receita", "opencnpj", "opencnpj", "receita", "receita"]
    assert [shown(one)["fonte"] for one in found] == sources
    assert isinstance(missing, CompanyNotFound)
    assert [what for provider, what in bench.observed if provider == "receita"] == [
        *("found", "rejected", "rejected", "found", "found", "missing")
    ]


def test_what_is_stored_is_read_at_once_and_a_fault_of_the_store_asks_sources(bench: Bench) -> None:
    assert {type(outcome) for outcome in many(bench, KNOWN[:5])} == {Answer}
    bench.store.operations.clear()
    stored = many(bench, [*KNOWN[:5], KNOWN[0]])
    assert not any(outcome.live for outcome in stored if isinstance(outcome, Answer))
    assert bench.store.operations == ["load_many"]
    bench.store.broken = {"load_many"}
    assert all(isinstance(outcome, Answer) and outcome.live for outcome in many(bench, KNOWN[:5]))
