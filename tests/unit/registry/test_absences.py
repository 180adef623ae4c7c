"""When "no such company" is believed and confirmed: numbers that may be new, and sources that deny all."""

import asyncio
from datetime import date

import pytest

from brskills_server.registry.errors import SourcesUnavailable
from brskills_server.registry.frontier import may_be_new, rising
from brskills_server.registry.health.evidence import EVIDENCE_SECONDS
from brskills_server.registry.providers.provider import CONTROLS
from tests.for_each import for_each
from tests.simulator.clock import EPOCH
from tests.simulator.look_up import look_up
from tests.simulator.replies import FAULTS
from tests.unit.registry.conftest import ALL, COMPANY, NOBODY, OTHER, Bench, slow

SANTANDER, BANRISUL = "90400888000142", "92702067000196"
COPY = {f"2025{month:02}": str(60_000_000 + 400_000 * month) for month in range(1, 13)}
"""A frontier that rises by 4.8 million in a year."""


@for_each(
    ("cnpj", "day", "months", "expected"),
    [
        (SANTANDER, date(2026, 11, 18), {}, False),
        (BANRISUL, date(2026, 11, 18), {}, False),
        ("95000000000100", date(2026, 11, 18), {}, False),
        ("00000000000191", date(2026, 11, 18), {}, False),
        ("67776532000196", date(2026, 9, 15), {}, True),
        ("67776532000196", date(2026, 11, 18), {}, True),
        ("66000000000100", date(2026, 11, 18), {}, False),
        ("72000000000100", date(2026, 11, 18), {}, True),
        ("00000000E08G12", date(2026, 11, 18), {}, True),
        # 120 days before the 15th of February is in October: September is the last whole month.
        ("63599999000100", date(2026, 2, 15), COPY, False),
        ("63600000000100", date(2026, 2, 15), COPY, True),
        ("68400000000100", date(2026, 2, 15), COPY, True),
        ("68400001000100", date(2026, 2, 15), COPY, False),
        (SANTANDER, date(2026, 2, 15), COPY, False),
        # A dump that is older than all months, and one a year newer: what happened since is not known.
        ("60000000000100", date(2025, 5, 15), COPY, True),
        ("64800000000100", date(2027, 5, 15), COPY, True),
        ("74300000000100", date(2027, 5, 15), COPY, True),
    ],
)
def test_what_may_be_new(cnpj, day, months, expected) -> None:
    assert may_be_new(cnpj, day, day, months) is expected


@for_each(
    ("cnpj", "day", "expected"),
    [
        ("70400000000100", date(2025, 12, 15), True),  # given since an old copy
        ("76000000000100", date(2025, 12, 15), False),
        ("67776532000196", date(1, 1, 1), True),  # days that cannot be true
        ("67776532000196", date(2031, 1, 1), True),
        ("67776532000196", None, True),
    ],
)
def test_roots_were_given_up_to_today(cnpj: str, day: date | None, expected: bool) -> None:
    assert may_be_new(cnpj, day, date(2026, 11, 18), COPY if day and day.year == 2025 else {}) is expected


@for_each("odd", [{"202505": 92_702_067}, {"202512": 92_702_067}, {"202501": 1_000}])
def test_months_out_of_order_are_left_out(odd: dict[str, int]) -> None:
    found = {month: int(root) for month, root in COPY.items()} | odd
    assert rising(found) == {month: root for month, root in COPY.items() if month not in odd}
    assert rising({"202505": 92_702_067, "202506": 62_400_000}) == {}, "too few to show an order"


@pytest.mark.parametrize(
    ("cnpj", "outcome"),
    [
        (SANTANDER, "absent"),
        ("67776532000196", "missing"),
        ("69000000000100", "missing"),
        ("95000000000100", "absent"),
        ("00000000E08G12", "missing"),
    ],
)
def test_no_absence_of_a_number_that_may_be_new_is_confirmed(bench: Bench, cnpj: str, outcome: str) -> None:
    bench.refuse(*ALL, fault="false-404")
    bench.refuse("cnpja", "cnpjws", fault="429")
    assert bench.outcome(cnpj) == outcome
    assert bench.sources() == ["opencnpj", "cnpja", "receitaws"]


def test_the_frontier_of_the_copy_counts(bench: Bench) -> None:
    bench.refuse(*ALL, fault="false-404")
    bench.snapshot.frontier = {f"2026{month:02}": str(98_000_000 + 100_000 * month) for month in range(1, 9)}
    first = bench.instance("receita", "cnpja")
    assert bench.outcome("99000000000100", first) == "missing"
    assert bench.outcome("99700000000100", first) == "absent"


def test_fresher_data_are_waited_for_where_the_number_may_be_new(bench: Bench) -> None:
    bench.snapshot.frontier = {f"2026{month:02}": str(96_000_000 + 300_000 * month) for month in range(1, 9)}
    bench.refuse("receitaws", fault="denies-all")
    bench.providers.play("cnpja", slow(1.5))
    assert bench.outcome("98000000000196", bench.instance("receita", *ALL)) == "cnpja"
    assert bench.sources() == ["cnpja", "receitaws"], "nobody else is asked once two groups agree"


class TestDenials:
    """No source has found anything lately."""

    @pytest.fixture(autouse=True)
    def silence(self, bench: Bench) -> None:
        bench.store.shared.clear()

    def controls(self, bench: Bench) -> list[str]:
        return [path.rsplit("/", 1)[-1] for _, path, _ in bench.providers.calls if path.endswith(CONTROLS)]

    def test_a_denial_needs_a_control_once(self, bench: Bench) -> None:
        assert bench.outcome(NOBODY) == "absent"
        assert bench.sources() == ["opencnpj", "cnpja", "opencnpj", "cnpja"]
        bench.sleep(60)
        assert bench.outcome("99222333000296") == "absent"
        assert bench.outcome("99222333000377", bench.instance()) == "absent"
        assert len(self.controls(bench)) == 2

    def test_a_found_company_waits_for_no_control(self, bench: Bench) -> None:
        bench.refuse("opencnpj", fault="denies-all")
        assert bench.outcome(COMPANY) == "cnpja"
        assert bench.sources() == ["opencnpj", "cnpja"]
        assert bench.loop.time() == 0

    def test_a_company_that_was_found_is_enough_for_all_instances(self, bench: Bench) -> None:
        bench.look_up(COMPANY, bench.instance("opencnpj"))
        assert bench.outcome(NOBODY, bench.instance("opencnpj")) == "missing"
        assert self.controls(bench) == []

    def test_a_call_that_an_unbelieved_denial_stopped_is_made_again(self, bench: Bench) -> None:
        bench.store.shared |= {"seen:opencnpj:companies": EPOCH}
        bench.refuse("opencnpj", "receitaws", fault="denies-all")
        bench.providers.play("cnpja", slow(1.5))
        bench.refuse("brasilapi", "minhareceita", fault="500")
        bench.refuse("cnpjws", fault="429")
        assert bench.outcome(COMPANY) == "cnpja"

    def test_waiting_look_ups_share_the_control(self, bench: Bench) -> None:
        async def all_at_once() -> list[object]:
            numbers = [f"99{n:06}000100" for n in range(20)]
            return await asyncio.gather(*(look_up(first, cnpj) for cnpj in numbers), return_exceptions=True)

        first = bench.instance("opencnpj")
        found = bench.loop.run_until_complete(all_at_once())
        assert {type(one).__name__ for one in found} == {"CompanyNotFound"}
        assert len(self.controls(bench)) == 1

    def test_a_source_that_denies_all_is_no_absence(self, bench: Bench) -> None:
        bench.refuse(*ALL, fault="429")
        bench.refuse("brasilapi", fault="denies-all")
        for cnpj in (COMPANY, NOBODY, OTHER):
            assert bench.outcome(cnpj) == "unavailable", cnpj
            assert bench.outcome(cnpj, bench.instance()) == "unavailable", cnpj
            bench.sleep(20)
        asked = [
            path for name, path, _ in bench.providers.calls if name == "brasilapi" and CONTROLS[0] in path
        ]
        assert len(asked) == 1
        assert {one.id: one.state for one in bench.health()}["brasilapi"] == "degraded"
        bench.providers.play("brasilapi", "truth")
        bench.sleep(60)
        assert bench.outcome(COMPANY) == "brasilapi"
        assert bench.outcome(NOBODY) == "missing", "what it finds shows that it can deny again"

    def test_the_others_are_asked_after_a_denial_that_is_not_believed(self, bench: Bench) -> None:
        bench.refuse("opencnpj", "cnpja", fault="denies-all")
        assert bench.outcome(COMPANY) in ALL[1:]
        assert bench.outcome(NOBODY) == "absent"

    @pytest.mark.parametrize("fault", ["429", "500", "silent"])
    def test_a_control_without_an_answer_shows_nothing(self, bench: Bench, fault: str) -> None:
        bench.providers.play(
            "opencnpj",
            lambda provider, cnpj: FAULTS[fault if cnpj in CONTROLS else "denies-all"](provider, cnpj),
        )
        only = bench.instance("opencnpj")
        with pytest.raises(SourcesUnavailable):
            bench.look_up(NOBODY, only)
        assert bench.loop.time() <= 8

    def test_controls_take_turns(self, bench: Bench) -> None:
        only = bench.instance("opencnpj")
        for n in range(len(CONTROLS)):
            assert bench.outcome(f"99{n:06}000100", only) == "missing"
            bench.sleep(EVIDENCE_SECONDS)
        assert sorted(self.controls(bench)) == sorted(CONTROLS)

    def test_our_own_copy_needs_no_control(self, bench: Bench) -> None:
        assert bench.outcome(NOBODY, bench.instance("receita")) == "missing"
        assert bench.sources() == []
