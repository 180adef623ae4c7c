"""Repeated look-ups: what was stored since the first answers them, and when sources may be called."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from brskills_server.registry.answer import Answer
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.lookup import repetition as module
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.lookup.repetition import look_up_known
from brskills_server.registry.query import Freshness, Query, Repetition
from tests.simulator.paid import TOKENS
from tests.unit.registry.conftest import COMPANY, DAY, NOBODY, Bench


def refuse() -> bool:
    pytest.fail("asked whether sources may be asked")


def repeated(
    bench: Bench,
    cnpj: str = COMPANY,
    *,
    since: int,
    instance: ProviderLookup | None = None,
    is_pending: bool = False,
    may_ask: Callable[[], bool] = refuse,
    **demands: Any,
) -> Any:
    query = Query(cnpj, Freshness(**demands), repetition=Repetition(since, is_pending, may_ask))
    return look_up_known((instance or bench.first).local, query)


def now(bench: Bench) -> int:
    return int(bench.loop.clock())


@pytest.mark.parametrize("max_age", [0, 1, 3600, None])
@pytest.mark.parametrize("later", [0, 5, DAY - 1, 2 * DAY])
def test_what_is_stored_since_the_first_serves_whatever_its_age(bench, max_age, later) -> None:
    since = now(bench)
    first = bench.look_up(COMPANY, max_age=max_age)
    bench.sleep(later)
    answer = repeated(bench, since=since, max_age=max_age)
    assert (answer.text, answer.asked_at, answer.stale) == (first.text, first.asked_at, False)


def test_what_was_stored_before_serves_where_it_served_the_first(bench: Bench) -> None:
    bench.look_up(COMPANY)
    bench.sleep(DAY - 10)
    since = now(bench)
    bench.sleep(3600)  # by now it serves no new request
    assert isinstance(repeated(bench, since=since), Answer)
    for max_age, data in ((0, None), (3600, None), (None, 0)):
        with pytest.raises(SourcesUnavailable):
            repeated(bench, since=since, max_age=max_age, max_data_age=data, may_ask=lambda: False)


@pytest.mark.parametrize("later", [0, DAY - 1])
@pytest.mark.parametrize(
    ("names", "tokens", "demands", "confirmed"),
    [
        ((), {}, {"max_age": 0}, True),
        (("opencnpj",), {}, {"max_age": 0}, False),
        (("receitaws",), {"cnpja": TOKENS["cnpja"]}, {"max_age": 0, "max_data_age": 7}, True),
    ],
)
def test_so_does_an_absence(bench, later, names, tokens, demands, confirmed) -> None:
    instance, since = bench.instance(*names, tokens=tokens, paid_per_day=9), now(bench)
    first = bench.missing(NOBODY, instance, **demands)
    bench.sleep(later)
    with pytest.raises(CompanyNotFound) as again:
        repeated(bench, NOBODY, since=since, instance=instance, **demands)
    assert vars(again.value) == vars(first)
    assert (first.confirmed, first.paid) == (confirmed, bool(tokens))


def test_a_demand_on_the_data_that_was_met_stays_met_over_midnight(bench: Bench) -> None:
    paying, since = bench.instance(tokens=TOKENS, paid_per_day=9), now(bench)
    first = bench.look_up(COMPANY, paying, max_data_age=7)
    assert first.record.data_base is not None
    age = next(
        days for days in range(8) if Freshness(None, days).allows_data_of(first.record.data_base, since)
    )
    bench.sleep(DAY - 1)
    assert repeated(bench, since=since, instance=paying, max_data_age=age).text == first.text


def test_a_paid_answer_that_was_too_old_is_repeated_without_a_call(bench: Bench) -> None:
    old, since = (
        bench.instance("opencnpj", tokens={"cnpjws": TOKENS["cnpjws"]}, paid_per_day=9),
        now(bench),
    )
    bench.unavailable(COMPANY, old, max_data_age=7)
    bench.sleep(DAY - 1)
    with pytest.raises(SourcesUnavailable) as again:
        repeated(bench, since=since, instance=old, max_data_age=7)
    assert (again.value.paid, again.value.nothing_failed) == (True, True)


def test_where_nothing_is_stored_may_ask_decides(bench: Bench) -> None:
    since = now(bench)
    bench.sleep(70)
    assert not isinstance(repeated(bench, since=since, max_age=0, may_ask=lambda: True), Answer)
    with pytest.raises(SourcesUnavailable) as refused:
        repeated(bench, since=since, max_age=0, may_ask=lambda: False)
    assert refused.value.retry_after == 50
    assert bench.providers.calls == []


def test_while_the_first_is_at_work_its_answer_is_waited_for(bench, monkeypatch) -> None:
    since, pauses = now(bench), list[float]()

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            bench.look_up(COMPANY, max_age=0)

    monkeypatch.setattr(module.time, "sleep", sleep)
    assert isinstance(repeated(bench, since=since, is_pending=True, max_age=0), Answer)
    assert pauses == sorted(pauses)
    assert len(pauses) == 3


def test_a_late_write_of_a_finished_attempt_is_waited_for_two_seconds(bench, monkeypatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: sum(pauses), sleep=pauses.append))
    with pytest.raises(SourcesUnavailable):
        repeated(bench, since=now(bench), max_age=0, may_ask=lambda: False)
    assert 2.0 <= sum(pauses) <= 2.5


def test_a_crashed_attempt_is_waited_for_until_its_latest_end(bench, monkeypatch) -> None:
    since = now(bench)
    bench.sleep(13)
    monkeypatch.setattr(module.time, "sleep", lambda _: pytest.fail("waited"))
    with pytest.raises(SourcesUnavailable):
        repeated(bench, since=since, is_pending=True, max_age=0, may_ask=lambda: False)


def test_the_snapshot_is_read_again(bench: Bench) -> None:
    instance, since = bench.instance("receita", "opencnpj"), now(bench)
    bench.sleep(3600)
    answer = repeated(bench, since=since, instance=instance, max_age=0, max_data_age=400)
    assert answer.record.fonte == "receita"
    assert (bench.store.operations, bench.providers.calls) == ([], [])
