"""The simulated way to 10,000 calls a second: docs/costs.md has what it says, its parts do as AWS writes."""

from __future__ import annotations

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.calendar import shift_month
from brskills_server.accounts.plans import PLANS
from brskills_server.adapters.dynamodb.items import account_fields
from brskills_server.adapters.dynamodb.values import encode_item
from tests.bench.scale.lambdas import Function, Pool
from tests.bench.scale.limits import COSTS, Bucket, ours
from tests.bench.scale.tables import table_of_limits, table_of_sources, table_of_the_way, ways
from tests.bench.scale.way import Stage


def kept(name: str) -> str:
    """What stands between the marks."""
    text = COSTS.read_text(encoding="utf-8")
    return text.partition(f"<!-- {name} -->\n")[2].partition(f"\n<!-- /{name} -->")[0]


@pytest.fixture(scope="module")
def found() -> dict[str, list[Stage]]:
    return ways()


def test_the_tables_are_what_the_simulation_says(found: dict[str, list[Stage]]) -> None:
    """Where this fails: ``python -m tests.bench.scale`` writes them anew."""
    assert table_of_the_way(found) == kept("way")
    assert table_of_sources(found) == kept("sources")
    assert table_of_limits() == kept("limits")


def test_each_way_begins_at_our_throttle_groups_and_ends_with_the_target(
    found: dict[str, list[Stage]],
) -> None:
    assert [round(stages[-1].run.served) for stages in found.values()] == [10_000] * len(found)
    assert round(found["account"][0].run.served) == PLANS["enterprise"].rate
    assert round(found["keys"][0].run.served) == PLANS["pro"].rate * PLANS["pro"].throttle_groups


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(rate=100, burst=250)
    assert [bucket.take(now, 1_000) for now in (0.0, 0.5, 1.5, 100.0)] == [250, 50, 100, 250]


def test_a_run_that_is_short_shares_its_environment() -> None:
    function = Function(Pool(most=10), "f")
    assert function.run(0, 4, seconds=0.01)[:2] == (0, 4)  # nothing is there yet
    warm, cold, refused = function.run(100, 20, seconds=0.01)
    assert (warm, cold) == (8, 2)  # two after one another in each of four, and two more are begun
    assert refused == {
        "f: requests": 10,
        "f: at once": 0,
        "f: starts": 0,
    }  # of a burst, a tenth of a second's


def test_a_function_begins_a_thousand_environments_and_then_a_hundred_a_second() -> None:
    function = Function(Pool(most=5_000), "f")
    assert function.run(0, 2_000, seconds=10)[2] == {"f: requests": 0, "f: at once": 0, "f: starts": 1_000}
    assert function.run(50, 2_000, seconds=10)[1] == 100


def test_what_is_reserved_is_most_of_the_account() -> None:
    found = ours()
    assert 1_000 - found.reserving * found.slow - found.reserved_beside == 199


@pytest.mark.parametrize(("keys", "units"), [(1, 1), (9, 1), (10, 2)])
def test_an_account_with_ten_keys_and_thirteen_months_takes_two_units(keys: int, units: int) -> None:
    account = Account(
        id="acc_0123456789abcdef",
        plan="enterprise",
        monthly_limit=None,
        keys={f"{n:064x}": 0 for n in range(keys)},
        calls={shift_month("2026-11", -n): 2_600_000_123 for n in range(14)},
        created_at=1_794_999_999,
        email="someone@example.com.br",
        dedicated_gateway_key="enterprise",
    )
    assert -(-size(encode_item(account_fields(account))) // 1024) == units


def size(item: dict[str, dict[str, object]]) -> int:
    """Bytes, by AWS' page "DynamoDB item sizes and formats"."""
    return sum(len(name) + _size(*value.items()) for name, value in item.items())


def _size(value: tuple[str, object]) -> int:
    kind, found = value
    if isinstance(found, dict):
        return 3 + len(found) + size(found)
    text = str(found)
    return (len(text.rstrip("0") or "0") + 1) // 2 + 1 if kind == "N" else len(text)
