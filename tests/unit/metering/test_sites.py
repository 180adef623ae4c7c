"""An IPv6 /48 has 65,536 networks of a caller's size: together they have eight times what one has."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.account import DEMO, Caller
from brskills_server.accounts.errors import SignupLimit, StoreUnavailable
from brskills_server.accounts.network_hash import SITE_ALLOWANCE, Pseudonyms, network_of, site_of
from brskills_server.accounts.signup import Signups
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.ledger import Ledger
from tests.conftest import NOVEMBER, Clock
from tests.for_each import for_each
from tests.services.store import in_memory

MONTH = "2026-11"
LIMIT = 3
SITE_LIMIT = SITE_ALLOWANCE * LIMIT


def caller(number: int, site: str = "site") -> Caller:
    return Caller(DEMO, "x", f"{site}-{number}", site)


def answered(reserve: Callable[[], object]) -> bool:
    try:
        reserve()
    except (QuotaExceeded, StoreUnavailable):
        return False
    return True


@for_each(
    ("address", "site"),
    [
        ("2001:db8:1:2::9", "2001:db8:1::/48"),
        ("2001:db8:1:ffff::", "2001:db8:1::/48"),
        ("2001:db8:2:2::9", "2001:db8:2::/48"),
        ("192.0.2.9", ""),
        ("::ffff:192.0.2.9", ""),
        ("nonsense", ""),
    ],
)
def test_the_site_of_an_address(address: str, site: str) -> None:
    assert site_of(network_of(address)) == site


@given(st.text() | st.ip_addresses().map(str))
def test_any_text_is_accepted_as_an_address(address: str) -> None:
    network = network_of(address)
    assert site_of(network) != network


def test_the_networks_of_a_site_share_its_allowance(ledger: Ledger) -> None:
    calls = [answered(lambda n=n: ledger.reserve(caller(n))) for n in range(SITE_LIMIT + 10)]
    assert calls == [True] * SITE_LIMIT + [False] * 10
    assert ledger.reserve(caller(1, "another"))
    assert ledger.reserve(Caller(DEMO, "x", "192.0.2.1"))
    with pytest.raises(QuotaExceeded) as full:
        ledger.reserve(caller(99))
    assert (full.value.quota.limit, full.value.quota.remaining) == (SITE_LIMIT, 0)


def test_a_network_has_no_more_than_before_and_a_refusal_costs_its_site_nothing(
    ledger: Ledger, store
) -> None:
    for _ in range(LIMIT + 20):
        answered(lambda: ledger.reserve(caller(1)))
    assert store.demo_calls("site") == store.demo_calls("site-1") == {MONTH: LIMIT}


def test_a_batch_takes_the_rest_of_the_sites_allowance(ledger: Ledger) -> None:
    for n in range(SITE_LIMIT - 2):
        ledger.reserve(caller(n))
    with pytest.raises(QuotaExceeded):
        ledger.reserve(caller(99), 3)
    assert ledger.reserve(caller(99), 3, partial=True).calls == 2


def test_a_release_applies_to_network_and_site(ledger: Ledger, store) -> None:
    ledger.releases.apply(ledger.reserve(caller(1)))
    assert ledger.releases.apply_absence(ledger.reserve(caller(1)))
    assert store.demo_calls("site") == store.demo_calls("site-1") == {MONTH: 0}


def test_the_free_absences_of_a_site_are_eight_times_those_of_a_network(ledger: Ledger, store) -> None:
    free = [
        ledger.releases.apply_absence(ledger.reserve(caller(n // 50))) for n in range(SITE_ALLOWANCE * 50)
    ]
    assert all(free)
    assert store.demo_calls("site")[MONTH] == 0
    assert ledger.releases.apply_absence(ledger.reserve(caller(99)))
    assert store.demo_calls("site")[MONTH] == 1


def test_at_once_from_many_networks_the_count_is_exact(ledger: Ledger) -> None:
    with ThreadPoolExecutor(16) as pool:
        done = list(pool.map(lambda n: answered(lambda: ledger.reserve(caller(n))), range(SITE_LIMIT * 4)))
    assert sum(done) == SITE_LIMIT


class Failing:
    """A store that fails before or after the operations with these numbers."""

    def __init__(self, store: Any, faults: dict[int, str]) -> None:
        self._store, self._faults, self._number = store, faults, 0

    def __getattr__(self, name: str) -> Any:
        def operate(*arguments: Any) -> Any:
            self._number += 1
            fault = self._faults.get(self._number)
            if fault == "before":
                raise StoreUnavailable
            found = getattr(self._store, name)(*arguments)
            if fault == "after":
                raise StoreUnavailable
            return found

        return operate


steps = st.tuples(st.integers(0, 12), st.sampled_from(["keep", "release", "absence"]))


@given(
    st.lists(steps, max_size=60), st.dictionaries(st.integers(1, 150), st.sampled_from(["before", "after"]))
)
def test_after_any_faults_every_answered_call_is_counted(steps, faults) -> None:
    store = in_memory()
    ledger = Ledger(Failing(store, faults), LIMIT, Clock(NOVEMBER))  # type: ignore[arg-type]
    kept: dict[int, int] = {}
    for number, how in steps:
        try:
            reservation = ledger.reserve(caller(number))
        except (QuotaExceeded, StoreUnavailable):
            continue
        if how == "keep":
            kept[number] = kept.get(number, 0) + 1
        else:
            give_back = ledger.releases.apply if how == "release" else ledger.releases.apply_absence
            answered(partial(give_back, reservation))
    own = {number: store.demo_calls(f"site-{number}").get(MONTH, 0) for number in range(13)}
    assert all(own[number] >= calls for number, calls in kept.items())
    assert sum(kept.values()) <= store.demo_calls("site").get(MONTH, 0) <= SITE_LIMIT


@pytest.mark.parametrize("by", ["day", "thirty days"])
def test_the_keys_of_a_site(store, clock: Clock, by: str) -> None:
    signups = Signups(store, Pseudonyms(store), per_day=2, per_month=5, clock=clock)
    days, each = (1, 2) if by == "day" else (3, 2)
    given = 0
    for day in range(days):
        for network in range(40):
            for _ in range(each):
                try:
                    signups.take(f"2001:db8:1:{day}{network:02}::", None)
                except SignupLimit as limit:
                    most = limit.most
                    continue
                given += 1
        clock.now += 86_400
    assert given == most == SITE_ALLOWANCE * (2 if by == "day" else 5)
    signups.take("2001:db8:2:1::", None)
    signups.take("192.0.2.1", None)
