"""The health of the providers, in a process that has called none as in one that has."""

from __future__ import annotations

import pytest

from brskills_server.registry.health.health import Health
from brskills_server.registry.providers.provider import ProviderHealth
from tests.simulator.memory import VERBS
from tests.unit.registry.conftest import ALL, COMPANY, Bench, number


def another(bench: Bench, *names: str) -> Health:
    """One more process over the same store and snapshot, which calls no provider."""
    return bench.instance(*names).health


def test_it_is_what_a_calling_process_reports(bench: Bench) -> None:
    seen: set[ProviderHealth] = set()
    for n, fault in enumerate(("500", "429-retry-after", "429", "truth", "silent")):
        bench.providers.play("opencnpj", fault)
        for look_up in range(6):
            bench.outcome(f"1{n}{look_up:010}00")
            bench.sleep((0.5, 9, 130, 1, 901, 60)[look_up])
            found = another(bench).report()
            assert found == bench.health(bench.instance())
            seen |= {source for source in found if source.id == "opencnpj"}
    assert {source.state for source in seen} == {"operational", "degraded", "down", "unknown"}
    assert {source.breaker for source in seen} == {"closed", "open", "half_open"}


def test_begins_closed_and_unknown(bench: Bench) -> None:
    assert bench.health() == [ProviderHealth(name, "unknown", "closed", None, None) for name in ALL]


def test_every_process_reports_breaker_and_last_success(bench: Bench) -> None:
    bench.look_up(number(1))
    bench.sleep(100)
    bench.providers.play("opencnpj", "429-retry-after")
    bench.look_up(number(2))
    success = "2026-11-18T11:06:40Z"
    first, second, *_ = bench.health(bench.instance())
    assert first == ProviderHealth("opencnpj", "down", "open", success, "2026-11-18T11:10:20Z")
    assert second == ProviderHealth("brasilapi", "operational", "closed", "2026-11-18T11:08:20Z", None)
    bench.sleep(121)
    first = bench.health(bench.instance())[0]
    assert first == ProviderHealth("opencnpj", "degraded", "half_open", success, None)


@pytest.mark.parametrize("names", [("receita", *ALL), ("opencnpj", "receita", "cnpja"), ("receita",)])
@pytest.mark.parametrize("copy", ["there", "not there", "broken"])
def test_the_snapshot_is_in_the_order_of_preference(bench: Bench, names: tuple[str, ...], copy: str) -> None:
    bench.snapshot.is_there, bench.snapshot.broken = copy != "not there", copy == "broken"
    found = another(bench, *names).report()
    assert [source.id for source in found] == [n for n in names if n != "receita" or copy != "not there"]
    assert {s.state for s in found if s.id == "receita"} <= {"down" if copy == "broken" else "operational"}


@pytest.mark.parametrize("damaged", [-1, 10**15, "soon"])
def test_damaged_fields_are_ignored(bench: Bench, damaged: int | str) -> None:
    bench.store.shared |= {"seen:opencnpj": damaged, "open:opencnpj": damaged}
    assert another(bench).report()[0] == ProviderHealth("opencnpj", "unknown", "closed", None, None)


def test_reports_in_turn_never_go_back(bench: Bench) -> None:
    """Whatever one process alone has seen, the next reader sees as well."""
    other, shown = another(bench), ""
    for n, fault in enumerate(("truth", "truth", "500", "truth", "truth")):
        bench.providers.play("opencnpj", fault)
        bench.outcome(number(n))
        for _ in range(3):
            here, there = bench.health()[0], other.report()[0]
            assert here == there, (n, fault)
            assert shown <= (here.last_success or ""), (n, fault)
            shown = here.last_success or ""
            bench.sleep(4)


def test_without_the_store_the_last_read_stays(bench: Bench) -> None:
    bench.look_up(COMPANY)
    seen = another(bench)
    before = seen.report()
    assert before[0].state == "operational"
    bench.store.broken = VERBS
    bench.sleep(10)
    assert seen.report() == before
    assert another(bench).report()[0].state == "unknown"
