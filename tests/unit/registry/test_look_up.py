"""The look-up from end to end, over simulated providers."""

import asyncio
import json
from typing import Any

import pytest

from brskills_server.registry.company import Company
from tests.simulator.look_up import look_up
from tests.simulator.memory import VERBS
from tests.unit.registry.conftest import ALL, COMPANY, DAY, NEW, NOBODY, OTHER, Bench, slow

FALSE_404 = dict.fromkeys(ALL, "false-404")
FAILED = dict.fromkeys(ALL, "500")
DUMPS = ("opencnpj", "brasilapi", "minhareceita", "cnpjws")


def play(bench: Bench, faults: dict[str, Any]) -> None:
    for provider, fault in faults.items():
        bench.providers.play(provider, fault)


@pytest.mark.parametrize(
    ("cnpj", "names", "faults", "outcome", "asked", "seconds"),
    [
        (COMPANY, ALL, {}, "opencnpj", ["opencnpj"], 0),
        (COMPANY, ALL, {"opencnpj": slow(0.5)}, "opencnpj", ["opencnpj"], 0.5),
        (COMPANY, ALL, {"opencnpj": slow(0.7)}, "brasilapi", ["opencnpj", "brasilapi"], 0.6),
        (COMPANY, ALL, {"opencnpj": "500"}, "brasilapi", ["opencnpj", "brasilapi"], 0),
        (COMPANY, ["opencnpj"], {"opencnpj": "silent"}, "unavailable", ["opencnpj"], 3),
        # Providers of one group are not independent.
        (
            COMPANY,
            ["brasilapi", "minhareceita", "opencnpj"],
            {"opencnpj": "500", "brasilapi": "500"},
            "minhareceita",
            ["brasilapi", "opencnpj", "minhareceita"],
            0,
        ),
        (NOBODY, ALL, {}, "absent", ["opencnpj", "cnpja"], 0),
        (NEW, ALL, {}, "cnpja", ["opencnpj", "cnpja"], 0),
        # A third dump adds nothing, nor does the same group again.
        (NOBODY, DUMPS, {}, "missing", ["opencnpj", "brasilapi"], 0),
        (NOBODY, ALL, {"cnpja": "429"}, "absent", ["opencnpj", "cnpja", "receitaws"], 0),
        (COMPANY, ALL, {"opencnpj": "false-404"}, "cnpja", ["opencnpj", "cnpja"], 0),
        (
            NOBODY,
            ALL,
            {"cnpja": "500", "receitaws": "500"},
            "missing",
            ["opencnpj", "cnpja", "receitaws", "brasilapi"],
            0,
        ),
        # A confirmation is waited for during three seconds.
        (
            NOBODY,
            ALL,
            dict.fromkeys(ALL[1:], "silent"),
            "missing",
            ["opencnpj", "cnpja", "receitaws", "brasilapi", "cnpjws"],
            3,
        ),
    ],
)
def test_who_answers_after_how_long(bench, cnpj, names, faults, outcome, asked, seconds) -> None:
    play(bench, faults)
    assert bench.outcome(cnpj, bench.instance(*names)) == outcome
    assert bench.sources() == asked
    assert bench.loop.time() == pytest.approx(seconds)
    assert asyncio.all_tasks(bench.loop) == set()


def test_the_body_is_the_model(bench: Bench) -> None:
    answer = bench.look_up(COMPANY)
    bench.sleep(90)
    again = bench.look_up(COMPANY)
    content = again.content()
    assert again.json() == Company.model_validate_json(again.json()).model_dump_json()
    assert list(content.items()) == list(json.loads(again.json()).items())
    assert (content["idade_segundos"], content["desatualizado"]) == (90, False)
    assert (content["data_base"], content["consultado_em"]) == (
        "2026-09-15",
        answer.content()["consultado_em"],
    )
    assert again.etag == answer.etag != bench.look_up(OTHER).etag
    assert answer.etag.startswith('W/"')


def test_store_operations_by_kind(bench: Bench) -> None:
    def operations(cnpj: str) -> list[str]:
        bench.sleep(1)
        bench.store.operations.clear()
        bench.outcome(cnpj)
        return bench.store.operations

    bench.look_up(OTHER)  # the day of the dump, requested once a day
    assert operations(COMPANY) == ["load", "state", "save"]
    assert operations(COMPANY) == ["load"]
    assert operations(NOBODY) == ["load", "state", "claim", "save", "set_state"]
    assert operations(NOBODY) == ["load"]
    assert operations("SANDBOX1000170") == []
    bench.refuse(*ALL)
    assert operations("11222333000262") == ["load", "state", "claim", "claim", "claim", "set_state"]


def test_a_cancelled_look_up_leaves_nothing_behind(bench: Bench) -> None:
    bench.refuse(*ALL, fault="silent")

    async def give_up() -> None:
        async with asyncio.timeout(2):
            await look_up(bench.first, COMPANY)

    with pytest.raises(TimeoutError):
        bench.loop.run_until_complete(give_up())
    assert "opencnpj" in bench.providers.cancelled
    assert asyncio.all_tasks(bench.loop) == set()


@pytest.mark.parametrize(("fresher", "lasts"), [("truth", 6 * 3600), ("500", 600)])
def test_how_long_a_stored_absence_answers(bench: Bench, fresher: str, lasts: int) -> None:
    bench.refuse("cnpja", "receitaws", fault=fresher)
    first = vars(bench.missing(NOBODY))
    assert (first["confirmed"], first["data_base"]) == (fresher == "truth", "2026-09-15")
    asked = bench.providers.asked()
    bench.sleep(lasts)
    assert vars(bench.missing(NOBODY)) == first
    assert bench.providers.asked() == asked
    bench.sleep(2)
    bench.missing(NOBODY)
    assert bench.providers.asked() > asked


def test_only_a_confirmed_absence_outweighs_a_stored_record(bench: Bench) -> None:
    registry = bench.instance("opencnpj", "brasilapi")
    bench.look_up(COMPANY, registry)
    bench.sleep(2 * DAY)
    play(bench, FALSE_404)
    assert bench.look_up(COMPANY, registry).content()["desatualizado"] is True
    assert bench.outcome(COMPANY, registry, max_age=60) == "unavailable"
    assert bench.outcome(COMPANY) == "absent"


class TestAge:
    """A record is stored; some seconds later the sources answer or fail."""

    @pytest.mark.parametrize(
        ("seconds", "faults", "demands", "age", "stale"),
        [
            (DAY - 1, {}, {}, DAY - 1, False),
            (DAY + 1, {}, {}, 0, False),
            (DAY + 1, FAILED, {}, DAY + 1, True),
            (45 * DAY - 60, FAILED, {}, 45 * DAY - 60, True),
            (45 * DAY + 1, FAILED, {}, None, True),
            (1, {}, {"max_age": 0}, 0, False),
            (0, FAILED, {"max_age": 0}, None, False),
            (100, {}, {"max_age": 100}, 100, False),
            (100, {}, {"max_age": 99}, 0, False),
            (100, FAILED, {"max_age": 99}, None, False),
            (2 * DAY, FAILED, {"max_age": 3 * DAY}, 2 * DAY, True),
        ],
    )
    def test_of_an_answer(self, bench, seconds, faults, demands, age, stale) -> None:
        bench.look_up(COMPANY)
        bench.sleep(seconds)
        play(bench, faults)
        if age is None:
            assert bench.outcome(COMPANY, **demands) == "unavailable"
            return
        content = bench.look_up(COMPANY, **demands).content()
        assert (content["idade_segundos"], content["desatualizado"]) == (age, stale)
        assert bench.providers.asked("opencnpj") == (2 if age == 0 or stale else 1)

    def test_a_limit_also_applies_to_a_stored_absence(self, bench: Bench) -> None:
        bench.missing(NOBODY)
        asked = bench.providers.asked()
        bench.sleep(100)
        bench.missing(NOBODY, max_age=50)
        assert bench.providers.asked() > asked

    def test_fresh_seconds_are_a_setting(self, bench: Bench) -> None:
        registry = bench.instance(fresh_seconds=10)
        bench.look_up(COMPANY, registry)
        bench.sleep(11)
        bench.refuse(*ALL)
        assert bench.look_up(COMPANY, registry).stale


class TestCapital:
    def test_approximate_is_flagged(self, bench: Bench) -> None:
        company = bench.look_up(OTHER, bench.instance("brasilapi")).record
        assert (company.capital_social, company.capital_social_precisao) == ("205431960000.00", "aproximada")

    def test_exact_out_of_the_store(self, bench: Bench) -> None:
        bench.look_up(OTHER)
        bench.sleep(2 * DAY)
        bench.providers.play("opencnpj", "500")
        company = bench.look_up(OTHER).record
        assert company.fonte == "brasilapi"
        assert (company.capital_social, company.capital_social_precisao) == ("205431960490.52", "exata")

    def test_exact_out_of_a_hedge_that_came_back_too(self, bench: Bench) -> None:
        play(bench, {"brasilapi": slow(0.7), "opencnpj": slow(0.1)})
        registry = bench.instance("brasilapi", "opencnpj")
        bench.look_up(COMPANY, registry)  # also asks for the day of the dump, which would take a moment more
        company = bench.look_up(OTHER, registry).record
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

    def test_damaged_shared_state_is_ignored(self, bench: Bench) -> None:
        bench.store.shared = {"open:opencnpj": "soon", "base:opencnpj": 7, "slot:cnpja:0": "x"}
        assert bench.outcome(COMPANY) == "opencnpj"
        bench.store.shared = {"open:opencnpj": 10**15, "seen:opencnpj": 10**15}
        assert bench.outcome(OTHER) == "opencnpj"
        assert bench.health()[0].breaker == "closed"

    def test_a_broken_store_stops_no_answer_but_calls_of_providers_with_rate_limits(self, bench) -> None:
        bench.store.broken = VERBS
        assert bench.look_up(COMPANY).record.cnpj == COMPANY
        assert bench.store.operations == ["load", "state", "save"]
        bench.refuse("opencnpj", "brasilapi")
        assert bench.outcome(OTHER) == "unavailable"
        assert bench.sources() == ["opencnpj", "opencnpj", "brasilapi"]

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

    def test_expiry_dates_are_later_than_any_use(self, bench: Bench) -> None:
        now = int(bench.loop.clock())
        bench.look_up(COMPANY)
        bench.missing(NOBODY)
        assert bench.store.entries[COMPANY]["expires_at"] == now + 45 * DAY
        assert bench.store.entries[NOBODY]["expires_at"] == now + DAY  # for repetitions of its request

    def test_what_is_stored_holds_no_whole_cpf(self, bench: Bench) -> None:
        bench.look_up("15603140000121", bench.instance("cnpjws"))
        stored = json.dumps(bench.store.entries)
        assert "11144477735" not in stored
        assert "***444777**" in stored
