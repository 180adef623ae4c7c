"""The bill's arithmetic, against sums made by hand."""

import pytest

from lab.bench.bill import Run, fixed, gateway


@pytest.mark.parametrize(
    ("calls", "cost"),
    [(0, 0), (1e6, 3.50), (333e6, 1165.50), (1e9, 1165.50 + 1867.60), (2e9, 3033.10 + 2380)],
)
def test_requests_are_cheaper_by_steps(calls: float, cost: float) -> None:
    assert gateway(calls) == pytest.approx(cost)


def test_a_run_costs_its_start_its_time_and_what_it_asks() -> None:
    idle = Run(billed=0, reads=0, writes=0, logged=0, sent=0)
    assert idle.cost * 1e6 == pytest.approx(0.20 + 0.1398, abs=1e-3)  # a start, and one restore in a thousand
    assert idle._replace(billed=1000).cost - idle.cost == pytest.approx(0.0000133334)
    assert (idle._replace(reads=2, writes=1).cost - idle.cost) * 1e6 == pytest.approx(0.25 + 0.625)
    assert idle._replace(logged=10**9, sent=10**9).cost - idle.cost == pytest.approx(0.59)


def test_snapshots_and_what_is_watched_cost_by_the_month() -> None:
    assert fixed() == pytest.approx(5 * 3.954 + 29.00, abs=0.01)
