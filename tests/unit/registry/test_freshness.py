"""What a caller demands of the data, over simulated providers.

The simulated day is 18 November 2026. CNPJá's and ReceitaWS's records are of these days, CNPJ.ws' 41 days
old, Minha Receita's dump 8 days and OpenCNPJ's 64; BrasilAPI's is of an unknown day.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.query import Freshness
from tests.simulator.clock import EPOCH
from tests.unit.registry.conftest import ALL, Bench

COMPANY = "11222333000181"
NOBODY = "99222333000105"
DAY = 86_400


@given(st.integers(EPOCH, EPOCH + 40 * DAY), st.integers(-5, 50), st.integers(0, 50))
def test_days_are_counted_in_brazil(now: int, age: int, most: int) -> None:
    today = datetime.fromtimestamp(now, ZoneInfo("America/Sao_Paulo")).date()
    allowed = Freshness(max_data_age=most).allows_data_of(today - timedelta(days=age), now)
    assert allowed == (-1 <= age <= most)


def test_an_unknown_day_never_meets_a_demand() -> None:
    assert not Freshness(max_data_age=10**9).allows_data_of(None, EPOCH)
    assert Freshness(max_age=0).allows_data_of(None, EPOCH)
    assert Freshness().allows_data_of(date.min, EPOCH)


class TestProviders:
    def test_without_a_limit_on_the_data_the_order_is_unchanged(self, bench: Bench) -> None:
        assert bench.look_up(COMPANY, max_age=0).record.fonte == "opencnpj"
        assert bench.sources() == ["opencnpj"]

    def test_those_that_are_no_dump_come_first(self, bench: Bench) -> None:
        answer = bench.look_up(COMPANY, max_data_age=30)
        assert (answer.record.fonte, str(answer.record.data_base)) == ("cnpja", "2026-11-19")
        assert bench.sources() == ["cnpja"]

    def test_a_dump_of_a_known_old_day_is_left_out(self, bench: Bench) -> None:
        bench.look_up("33000167000101")  # gets the day
        bench.providers.calls.clear()
        bench.refuse("cnpja", "receitaws")
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, max_data_age=30)
        assert bench.sources() == ["cnpja", "receitaws", "cnpjws"]

    def test_a_dump_that_is_recent_enough_answers(self, bench: Bench) -> None:
        registry = bench.instance("brasilapi", "opencnpj", "minhareceita")
        answer = bench.look_up(COMPANY, registry, max_data_age=8)
        assert (answer.record.fonte, str(answer.record.data_base)) == ("minhareceita", "2026-11-10")
        assert bench.sources() == ["opencnpj", "minhareceita"]

    def test_a_day_later_it_is_not(self, bench: Bench) -> None:
        registry = bench.instance("minhareceita")
        assert bench.look_up(COMPANY, registry, max_data_age=8)
        bench.sleep(DAY)
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, registry, max_data_age=8)
        assert bench.look_up(COMPANY, registry, max_data_age=9).age == DAY

    def test_a_provider_without_a_data_date_is_not_called(self, bench: Bench) -> None:
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, bench.instance("brasilapi"), max_data_age=10**9)
        assert bench.sources() == []

    def test_what_is_too_old_does_not_wait_for_the_hedge(self, bench: Bench) -> None:
        registry = bench.instance("cnpjws", "opencnpj", "minhareceita")
        assert bench.look_up(COMPANY, registry, max_data_age=10).record.fonte == "minhareceita"
        assert bench.loop.time() == 0

    def test_what_is_too_old_is_a_success_of_its_provider(self, bench: Bench) -> None:
        registry = bench.instance("cnpjws")
        for n in range(7):
            with pytest.raises(SourcesUnavailable):
                bench.look_up(f"1122233300{n:04}", registry, max_data_age=1)
            bench.sleep(30)
        assert bench.providers.asked("cnpjws") == 7
        assert (bench.health(registry)[0].breaker, bench.health(registry)[0].last_success is None) == (
            "closed",
            False,
        )


class TestFailureOrNot:
    """A 503 for a demand that no data meets is not a failure: any caller can have one at will."""

    def nothing_failed(self, bench: Bench, *names: str, days: int, number: str = COMPANY) -> bool:
        with pytest.raises(SourcesUnavailable) as error:
            bench.look_up(number, bench.instance(*names), max_data_age=days)
        return error.value.nothing_failed

    def test_data_older_than_demanded_is_not_a_failure(self, bench: Bench) -> None:
        assert self.nothing_failed(bench, "cnpjws", "opencnpj", days=1)
        assert self.nothing_failed(bench, "cnpjws", "opencnpj", days=1)  # now it is stored
        assert self.nothing_failed(bench, "receita", days=1)

    def test_nor_an_absence_in_it(self, bench: Bench) -> None:
        assert self.nothing_failed(bench, "opencnpj", days=1, number=NOBODY)

    def test_nor_that_no_source_is_worth_asking(self, bench: Bench) -> None:
        assert self.nothing_failed(bench, "brasilapi", days=1)

    def test_a_source_that_fails_is_one(self, bench: Bench) -> None:
        bench.refuse("cnpja")
        assert not self.nothing_failed(bench, "cnpja", "cnpjws", days=1)

    def test_a_provider_with_an_open_breaker_is_a_failure(self, bench: Bench) -> None:
        bench.refuse("cnpja", fault="429-retry-after")
        for _ in range(2):
            assert not self.nothing_failed(bench, "cnpja", "cnpjws", days=1)
        assert bench.observed[-2:] == [("cnpja", "skipped"), ("cnpjws", "found")]

    def test_one_whose_calls_of_a_minute_are_used_up_is_not(self, bench: Bench) -> None:
        for _ in range(4):
            assert self.nothing_failed(bench, "cnpjws", "receita", days=1)
        assert ("cnpjws", "skipped") in bench.observed

    @pytest.mark.parametrize("names", [("cnpjws",), ("receita", "cnpjws")])
    def test_nor_are_all_of_them_used_up(self, bench: Bench, names: tuple[str, ...]) -> None:
        bench.snapshot.is_there = False
        for _ in range(7):
            assert self.nothing_failed(bench, *names, days=1)
        assert bench.observed[-1] == ("cnpjws", "skipped")

    def test_a_silent_provider_beside_a_denial_is_a_failure(self, bench: Bench) -> None:
        bench.refuse("minhareceita", fault="silent")
        assert not self.nothing_failed(bench, "opencnpj", "minhareceita", days=10, number=NOBODY)

    def test_open_breakers_of_all_sources_are_a_failure(self, bench: Bench) -> None:
        bench.refuse("cnpja")
        for _ in range(7):
            assert not self.nothing_failed(bench, "cnpja", days=1)

    def test_without_a_demand_on_the_data_it_always_is(self, bench: Bench) -> None:
        bench.refuse(*ALL)
        with pytest.raises(SourcesUnavailable) as error:
            bench.look_up(COMPANY, max_age=0)
        assert not error.value.nothing_failed


class TestStored:
    def test_a_fresh_record_with_old_data_does_not_serve(self, bench: Bench) -> None:
        bench.look_up(COMPANY)
        assert bench.look_up(COMPANY, max_data_age=64).record.fonte == "opencnpj"
        assert bench.sources() == ["opencnpj"]
        assert bench.look_up(COMPANY, max_data_age=63).record.fonte == "cnpja"
        assert bench.look_up(COMPANY).record.fonte == "cnpja"
        assert bench.sources() == ["opencnpj", "cnpja"]

    def test_nor_a_stale_one(self, bench: Bench) -> None:
        bench.look_up(COMPANY)
        bench.sleep(2 * DAY)
        bench.refuse(*ALL)
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, max_data_age=65)
        assert bench.look_up(COMPANY, max_data_age=66).stale

    def test_both_demands_are_met_or_refused(self, bench: Bench) -> None:
        bench.look_up(COMPANY, max_data_age=1)
        bench.sleep(100)
        assert bench.look_up(COMPANY, max_age=100, max_data_age=1).age == 100
        bench.refuse(*ALL)
        for demands in ({"max_age": 99, "max_data_age": 1}, {"max_age": 0, "max_data_age": 10**9}):
            with pytest.raises(SourcesUnavailable):
                bench.look_up(COMPANY, **demands)
        bench.sleep(3 * DAY)
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, max_age=10 * DAY, max_data_age=1)
        assert bench.look_up(COMPANY, max_age=10 * DAY, max_data_age=2).stale

    def test_what_was_too_old_is_kept_for_others(self, bench: Bench) -> None:
        bench.refuse("cnpja", "receitaws")
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, max_data_age=1)
        asked = bench.providers.asked()
        answer = bench.look_up(COMPANY)
        assert (answer.record.fonte, answer.live) == ("cnpjws", False)  # the newest of two
        assert bench.providers.asked() == asked

    def test_but_not_in_place_of_newer_data(self, bench: Bench) -> None:
        bench.look_up(COMPANY, max_data_age=1)
        bench.sleep(5 * DAY)
        bench.refuse("cnpja", "receitaws")
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, max_data_age=1)
        assert bench.look_up(COMPANY, max_age=6 * DAY, max_data_age=6).record.fonte == "cnpja"

    def test_it_renews_an_older_one(self, bench: Bench) -> None:
        bench.look_up(COMPANY)
        bench.sleep(2 * DAY)
        bench.refuse("cnpja", "receitaws", "cnpjws")
        registry = bench.instance("opencnpj")
        del bench.store.shared["base:opencnpj"]  # unknown, so it is requested
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, registry, max_data_age=1)
        assert bench.look_up(COMPANY, registry).age == 0


class TestAbsence:
    def test_a_confirmed_one_serves_fresh_and_stored(self, bench: Bench) -> None:
        for _ in range(2):
            with pytest.raises(CompanyNotFound) as error:
                bench.look_up(NOBODY, max_data_age=0)
            assert error.value.confirmed
            assert bench.sources() == ["cnpja", "receitaws"]

    def test_one_in_old_dumps_does_not(self, bench: Bench) -> None:
        bench.refuse("cnpja", "receitaws")
        with pytest.raises(SourcesUnavailable):
            bench.look_up(NOBODY, max_data_age=30)
        asked = bench.providers.asked()
        with pytest.raises(CompanyNotFound) as error:  # for others it is what it was
            bench.look_up(NOBODY)
        assert not error.value.confirmed
        assert bench.providers.asked() == asked

    def test_one_of_a_provider_that_is_no_dump_does(self, bench: Bench) -> None:
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(NOBODY, bench.instance("cnpja"), max_data_age=0)
        assert not error.value.confirmed

    def test_one_in_recent_data_does_fresh_and_stored(self, bench: Bench) -> None:
        registry = bench.instance("minhareceita")
        for _ in range(2):
            with pytest.raises(CompanyNotFound) as error:
                bench.look_up(NOBODY, registry, max_data_age=8)
            assert (error.value.confirmed, error.value.data_base) == (False, "2026-11-10")
            assert bench.sources() == ["minhareceita"]
        with pytest.raises(SourcesUnavailable):
            bench.look_up(NOBODY, registry, max_data_age=7)

    @pytest.mark.parametrize("day", ["", "yesterday"])
    def test_a_stored_one_of_an_unknown_day_asks_again(self, bench: Bench, day: str) -> None:
        bench.store.entries[COMPANY] = {"form": 1, "confirmed": 0, "data_base": day, "at": EPOCH}
        assert bench.look_up(COMPANY, max_data_age=10).record.fonte == "cnpja"

    def test_a_company_in_old_data_is_not_absent(self, bench: Bench) -> None:
        bench.refuse("cnpja", "receitaws", fault="false-404")
        bench.providers.play("cnpja", "500")
        registry = bench.instance("receitaws", "opencnpj", "cnpja")
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, registry, max_data_age=30)
        assert bench.look_up(COMPANY, registry).record.fonte == "opencnpj"


class TestSnapshot:
    """The copy's month is of 12 September, 67 days ago."""

    def test_it_answers_where_it_is_recent_enough(self, bench: Bench) -> None:
        first = bench.instance("receita", *ALL)
        assert bench.look_up(COMPANY, first, max_data_age=67).record.fonte == "receita"
        assert bench.look_up(COMPANY, first, max_data_age=66).record.fonte == "cnpja"
        assert bench.look_up(COMPANY, first).record.fonte == "receita"
        assert bench.sources() == ["cnpja"]

    def test_where_it_is_not_its_record_is_neither_served_nor_stored(self, bench: Bench) -> None:
        first = bench.instance("receita", "cnpja")
        bench.refuse("cnpja")
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, first, max_data_age=66)
        assert bench.store.entries == {}

    def test_a_company_in_it_is_not_absent(self, bench: Bench) -> None:
        first = bench.instance("receita", *ALL)
        bench.refuse(*ALL, fault="false-404")
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, first, max_data_age=66)
        assert bench.store.entries == {}

    def test_an_absence_in_it_serves_where_it_is_recent_enough(self, bench: Bench) -> None:
        first = bench.instance("receita", "cnpja")
        bench.refuse("cnpja")
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(NOBODY, first, max_data_age=67)
        assert not error.value.confirmed
        with pytest.raises(SourcesUnavailable):
            bench.look_up(NOBODY, first, max_data_age=66)

    def test_as_a_later_choice_it_is_judged_too(self, bench: Bench) -> None:
        later = bench.instance("cnpja", "receita")
        bench.refuse("cnpja")
        assert bench.look_up(COMPANY, later, max_data_age=67).record.fonte == "receita"
        with pytest.raises(SourcesUnavailable):
            bench.look_up("33000167000101", later, max_data_age=66)


class TestSandbox:
    def test_its_data_has_an_age_too(self, bench: Bench) -> None:
        age = 34  # since 15 October
        assert bench.look_up("SANDBOX1000170", max_data_age=age).record.fonte == "sandbox"
        with pytest.raises(SourcesUnavailable):
            bench.look_up("SANDBOX1000170", max_data_age=age - 1)
        with pytest.raises(CompanyNotFound):
            bench.look_up("SANDBOX4000103", max_data_age=0)
