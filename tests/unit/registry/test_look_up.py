"""The look-up from end to end, over simulated providers."""

import asyncio
import json
from contextlib import suppress

import pytest

from brskills_server.registry.company import Company
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from tests.simulator.look_up import look_up
from tests.simulator.memory import VERBS
from tests.simulator.replies import Reply, truth
from tests.unit.registry.conftest import ALL, Bench

COMPANY = "11222333000181"
NOBODY = "99222333000105"
NEW = "98222333000142"
DAY = 86_400


def slow(seconds: float):
    return lambda provider, cnpj: Reply(200, truth(provider, cnpj).body, after=seconds)


def test_the_first_choice_answers_alone(bench: Bench) -> None:
    answer = bench.look_up(COMPANY)
    assert answer.record.fonte == "opencnpj"
    assert str(answer.record.data_base) == "2026-09-15"
    assert [provider for provider, _, _ in bench.providers.calls] == ["opencnpj", "opencnpj"]  # and /info


def test_the_body_is_the_model(bench: Bench) -> None:
    answer = bench.look_up(COMPANY)
    bench.sleep(90)
    again = bench.look_up(COMPANY)
    content = again.content()
    assert again.json() == Company.model_validate_json(again.json()).model_dump_json()
    assert list(content.items()) == list(json.loads(again.json()).items())
    assert (content["idade_segundos"], content["desatualizado"]) == (90, False)
    assert content["consultado_em"] == answer.content()["consultado_em"]
    assert again.etag == answer.etag
    assert answer.etag.startswith('W/"')


def test_the_etag_follows_the_record(bench: Bench) -> None:
    assert bench.look_up(COMPANY).etag != bench.look_up("33000167000101").etag


def test_a_stored_answer_serves_for_a_day(bench: Bench) -> None:
    bench.look_up(COMPANY)
    bench.sleep(DAY - 1)
    bench.look_up(COMPANY)
    assert bench.providers.asked() == 1
    bench.sleep(2)
    bench.look_up(COMPANY)
    assert bench.providers.asked() == 2


def test_store_operations_by_kind(bench: Bench) -> None:
    def operations(cnpj: str) -> list[str]:
        bench.sleep(1)
        bench.store.operations.clear()
        with suppress(CompanyNotFound, SourcesUnavailable):
            bench.look_up(cnpj)
        return bench.store.operations

    bench.look_up("33000167000101")  # the day of the dump, asked for once a day
    assert operations(COMPANY) == ["load", "state", "save"]
    assert operations(COMPANY) == ["load"]
    assert operations(NOBODY) == ["load", "state", "claim", "save", "set_state"]
    assert operations(NOBODY) == ["load"]
    assert operations("SANDBOX1000170") == []
    bench.refuse(*ALL)
    assert operations("11222333000262") == ["load", "state", "claim", "claim", "claim"]


@pytest.mark.parametrize("delay", [0.5, 0.7])
def test_a_slow_first_choice_is_hedged_after_600_ms(bench: Bench, delay: float) -> None:
    bench.providers.play("opencnpj", slow(delay))
    answer = bench.look_up(COMPANY)
    assert bench.providers.asked("brasilapi") == (delay > 0.6)
    assert answer.record.fonte == ("brasilapi" if delay > 0.6 else "opencnpj")


def test_a_failure_is_hedged_at_once(bench: Bench) -> None:
    bench.providers.play("opencnpj", "500")
    assert bench.look_up(COMPANY).record.fonte == "brasilapi"
    assert bench.loop.time() == 0


def test_the_loser_is_cancelled_and_nothing_runs_on(bench: Bench) -> None:
    bench.providers.play("opencnpj", slow(2.5))
    bench.look_up(COMPANY)
    assert bench.providers.cancelled == ["opencnpj"]
    assert asyncio.all_tasks(bench.loop) == set()


def test_a_cancelled_look_up_leaves_nothing_behind(bench: Bench) -> None:
    bench.refuse(*ALL, fault="silent")

    async def give_up() -> None:
        async with asyncio.timeout(2):
            await look_up(bench.first, COMPANY)

    with pytest.raises(TimeoutError):
        bench.loop.run_until_complete(give_up())
    assert asyncio.all_tasks(bench.loop) == set()


def test_a_silent_provider_has_its_own_time_out(bench: Bench) -> None:
    bench.providers.play("opencnpj", "silent")
    with pytest.raises(SourcesUnavailable) as error:
        bench.look_up(COMPANY, bench.instance("opencnpj"))
    assert bench.loop.time() == 3.0
    assert error.value.retry_after >= 1


def test_providers_of_one_group_are_not_independent(bench: Bench) -> None:
    bench.providers.play("opencnpj", "500")
    bench.providers.play("brasilapi", "500")
    registry = bench.instance("brasilapi", "minhareceita", "opencnpj")
    assert bench.look_up(COMPANY, registry).record.fonte == "minhareceita"
    order = [provider for provider, path, _ in bench.providers.calls if COMPANY in path]
    assert order == ["brasilapi", "opencnpj", "minhareceita"]


class TestNotFound:
    def test_confirmed_by_a_fresher_group(self, bench: Bench) -> None:
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(NOBODY)
        assert (error.value.confirmed, error.value.data_base) == (True, "2026-09-15")
        assert {provider for provider, _, _ in bench.providers.calls} == {"opencnpj", "cnpja"}

    def test_the_fresher_group_may_know_the_company(self, bench: Bench) -> None:
        assert bench.look_up(NEW).record.fonte == "cnpja"

    def test_never_by_dumps_alone(self, bench: Bench) -> None:
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(NOBODY, bench.instance("opencnpj", "brasilapi", "minhareceita", "cnpjws"))
        assert error.value.confirmed is False
        assert bench.providers.asked("cnpjws") == 0  # two dumps agree: a third adds nothing
        assert bench.providers.asked("minhareceita") == 0  # nor does the same group again

    def test_by_receitaws_when_cnpja_fails(self, bench: Bench) -> None:
        bench.providers.play("cnpja", "429")
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(NOBODY)
        assert error.value.confirmed is True
        assert bench.providers.asked("receitaws") == 1

    def test_a_false_404_is_found_out(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", "false-404")
        assert bench.look_up(COMPANY).record.fonte == "cnpja"

    def test_unconfirmed_when_only_dumps_answer(self, bench: Bench) -> None:
        for provider in ("cnpja", "receitaws"):
            bench.providers.play(provider, "500")
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(NOBODY)
        assert error.value.confirmed is False

    def test_waits_three_seconds_for_a_confirmation(self, bench: Bench) -> None:
        for provider in ALL[1:]:
            bench.providers.play(provider, "silent")
        with pytest.raises(CompanyNotFound):
            bench.look_up(NOBODY)
        assert bench.loop.time() == 3.0

    @pytest.mark.parametrize(("fresher", "lasts"), [("truth", 6 * 3600), ("500", 600)])
    def test_how_long_a_stored_absence_answers(self, bench: Bench, fresher: str, lasts: int) -> None:
        for provider in ("cnpja", "receitaws"):
            bench.providers.play(provider, fresher)
        with pytest.raises(CompanyNotFound) as first:
            bench.look_up(NOBODY)
        asked = bench.providers.asked()
        bench.sleep(lasts)
        with pytest.raises(CompanyNotFound) as second:
            bench.look_up(NOBODY)
        assert bench.providers.asked() == asked
        assert (second.value.confirmed, second.value.data_base) == (
            first.value.confirmed,
            first.value.data_base,
        )
        bench.sleep(2)
        with pytest.raises(CompanyNotFound):
            bench.look_up(NOBODY)
        assert bench.providers.asked() > asked

    def test_one_group_alone_does_not_outweigh_a_stored_record(self, bench: Bench) -> None:
        registry = bench.instance("opencnpj", "brasilapi")
        bench.look_up(COMPANY, registry)
        bench.sleep(2 * DAY)
        for provider in ("opencnpj", "brasilapi"):
            bench.providers.play(provider, "false-404")
        assert bench.look_up(COMPANY, registry).content()["desatualizado"] is True
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, registry, max_age=60)

    def test_a_confirmed_one_does(self, bench: Bench) -> None:
        bench.look_up(COMPANY)
        bench.sleep(2 * DAY)
        for provider in ALL:
            bench.providers.play(provider, "false-404")
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(COMPANY)
        assert error.value.confirmed is True


class TestAge:
    def test_stale_when_the_sources_fail(self, bench: Bench) -> None:
        bench.look_up(COMPANY)
        bench.sleep(45 * DAY - 60)
        bench.refuse(*ALL)
        content = bench.look_up(COMPANY).content()
        assert (content["desatualizado"], content["idade_segundos"]) == (True, 45 * DAY - 60)

    def test_not_for_ever(self, bench: Bench) -> None:
        bench.look_up(COMPANY)
        bench.sleep(45 * DAY + 1)
        bench.refuse(*ALL)
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY)

    def test_zero_asks_a_source_in_any_case(self, bench: Bench) -> None:
        bench.look_up(COMPANY)
        assert bench.look_up(COMPANY, max_age=0).content()["idade_segundos"] == 0
        assert bench.providers.asked() == 2
        bench.refuse(*ALL)
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, max_age=0)

    def test_a_demand_is_met_or_refused(self, bench: Bench) -> None:
        bench.look_up(COMPANY)
        bench.sleep(100)
        assert bench.look_up(COMPANY, max_age=100).content()["idade_segundos"] == 100
        assert bench.providers.asked() == 1
        bench.refuse(*ALL)
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, max_age=99)
        bench.sleep(2 * DAY)
        answer = bench.look_up(COMPANY, max_age=3 * DAY).content()
        assert (answer["desatualizado"], answer["idade_segundos"]) == (True, 2 * DAY + 100)

    def test_a_demand_also_holds_for_a_stored_absence(self, bench: Bench) -> None:
        with pytest.raises(CompanyNotFound):
            bench.look_up(NOBODY)
        asked = bench.providers.asked()
        bench.sleep(100)
        with pytest.raises(CompanyNotFound):
            bench.look_up(NOBODY, max_age=50)
        assert bench.providers.asked() > asked

    def test_fresh_seconds_are_a_setting(self, bench: Bench) -> None:
        registry = bench.instance(fresh_seconds=10)
        bench.look_up(COMPANY, registry)
        bench.sleep(11)
        bench.refuse(*ALL)
        assert bench.look_up(COMPANY, registry).content()["desatualizado"] is True


class TestCapital:
    def test_approximate_is_flagged(self, bench: Bench) -> None:
        company = bench.look_up("33000167000101", bench.instance("brasilapi")).record
        assert (company.capital_social, company.capital_social_precisao) == ("205431960000.00", "aproximada")

    def test_exact_out_of_the_store(self, bench: Bench) -> None:
        bench.look_up("33000167000101")
        bench.sleep(2 * DAY)
        bench.providers.play("opencnpj", "500")
        company = bench.look_up("33000167000101").record
        assert company.fonte == "brasilapi"
        assert (company.capital_social, company.capital_social_precisao) == ("205431960490.52", "exata")

    def test_exact_out_of_a_hedge_that_came_back_too(self, bench: Bench) -> None:
        bench.providers.play("brasilapi", slow(0.7))
        bench.providers.play("opencnpj", slow(0.1))
        registry = bench.instance("brasilapi", "opencnpj")
        bench.look_up(COMPANY, registry)  # also asks for the day of the dump, which would take a moment more
        company = bench.look_up("33000167000101", registry).record
        assert (company.fonte, company.capital_social) == ("brasilapi", "205431960490.52")


class TestStore:
    @pytest.mark.parametrize(
        "entry",
        [
            {},
            {"form": 0, "record": "{}", "at": 1},
            {"form": 1, "record": '{"cnpj":', "at": 1_795_000_000},
            {"form": 1, "record": "{}", "at": 1_795_000_000},
            {"form": 1, "record": 5, "at": 1_795_000_000},
            {"form": 1, "at": 1_795_000_000},
            {"form": 1, "confirmed": "yes", "data_base": "", "at": 1_795_000_000},
            {"form": 1, "confirmed": 1, "data_base": "", "at": "now"},
            {"form": 1, "confirmed": 1, "data_base": "", "at": 10**15},
        ],
    )
    def test_a_damaged_or_old_entry_is_a_miss(self, bench: Bench, entry: dict[str, str | int]) -> None:
        bench.store.entries[COMPANY] = entry
        assert bench.look_up(COMPANY).record.cnpj == COMPANY

    def test_an_entry_of_the_release_before_serves(self, bench: Bench) -> None:
        bench.look_up(COMPANY, bench.instance("cnpjws"))
        entry = dict(bench.store.entries[COMPANY])
        record = json.loads(str(entry["record"]))
        assert record.pop("inscricoes_estaduais")
        bench.store.entries[COMPANY] = entry | {"record": json.dumps(record)}
        answer = bench.look_up(COMPANY)
        assert bench.providers.asked() == 1
        assert answer.content()["inscricoes_estaduais"] is None
        assert Company.model_validate_json(answer.json()).model_dump_json() == answer.json()

    def test_an_entry_of_another_company_is_a_miss(self, bench: Bench) -> None:
        bench.look_up("33000167000101")
        bench.store.entries[COMPANY] = bench.store.entries["33000167000101"]
        assert bench.look_up(COMPANY).record.cnpj == COMPANY

    def test_damaged_shared_state_is_ignored(self, bench: Bench) -> None:
        bench.store.shared = {"open:opencnpj": "soon", "base:opencnpj": 7, "slot:cnpja:0": "x"}
        assert bench.look_up(COMPANY).record.fonte == "opencnpj"
        bench.store.shared = {"open:opencnpj": 10**15, "seen:opencnpj": 10**15}
        assert bench.look_up("33000167000101").record.fonte == "opencnpj"
        assert bench.health()[0].breaker == "closed"

    def test_a_broken_store_stops_no_answer(self, bench: Bench) -> None:
        bench.store.broken = VERBS
        assert bench.look_up(COMPANY).record.cnpj == COMPANY
        assert bench.store.operations == ["load", "state", "save"]

    def test_a_hanging_store_costs_a_second_for_the_state_and_one_for_the_entry(self, bench: Bench) -> None:
        bench.store.hangs = {"save", "state", "set_state", "claim"}
        assert bench.look_up(COMPANY).record.cnpj == COMPANY
        assert bench.loop.time() == 2.0

    @pytest.mark.parametrize("verb", ["state", "set_state", "claim"])
    @pytest.mark.parametrize("fault", ["broken", "hangs"])
    def test_a_fault_of_the_shared_state_loses_no_record(self, bench: Bench, verb: str, fault: str) -> None:
        setattr(bench.store, fault, {verb})
        bench.look_up(COMPANY)
        assert bench.store.entries[COMPANY]["record"]
        assert bench.loop.time() <= 2.0

    def test_without_a_store_providers_with_rate_limits_are_not_called(self, bench: Bench) -> None:
        bench.store.broken = VERBS
        for provider in ("opencnpj", "brasilapi"):
            bench.providers.play(provider, "500")
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY)
        assert bench.providers.asked() == 2

    def test_expiry_dates_tidy_up(self, bench: Bench) -> None:
        now = int(bench.loop.clock())
        bench.look_up(COMPANY)
        assert bench.store.entries[COMPANY]["expires_at"] == now + 45 * DAY
        with pytest.raises(CompanyNotFound):
            bench.look_up(NOBODY)
        assert (
            bench.store.entries[NOBODY]["expires_at"] == now + DAY
        )  # for repetitions of its request; readers judge its age

    def test_what_is_stored_holds_no_whole_cpf(self, bench: Bench) -> None:
        bench.look_up("15603140000121", bench.instance("cnpjws"))
        stored = json.dumps(bench.store.entries)
        assert "11144477735" not in stored
        assert "***444777**" in stored
