"""The look-up over the register's snapshot: as first or later source, failing, or missing."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.snapshot.rows import FIELD_SEPARATOR, SnapshotCompany
from brskills_server.registry.snapshot.source import PAUSE_SECONDS, SnapshotSource
from brskills_server.registry.store import StoreFault
from tests.register.copy_file import rows_of
from tests.simulator.companies import company, numbers
from tests.simulator.snapshot import DAY
from tests.unit.registry.conftest import ALL, COMPANY, NEW, NOBODY, OTHER, Bench

THIRD = "11444777000161"


@pytest.fixture
def first(bench: Bench) -> ProviderLookup:
    """The snapshot before all others."""
    return bench.instance("receita", *ALL)


@pytest.fixture
def second(bench: Bench) -> ProviderLookup:
    """The snapshot after OpenCNPJ, which fails."""
    bench.refuse("opencnpj")
    return bench.instance("opencnpj", "receita", *ALL[1:])


def rows(cnpj: str) -> tuple[str, str]:
    found = rows_of(company(cnpj))
    return found[cnpj], found[cnpj[:8]]


def observed(bench: Bench) -> list[str]:
    return [what for provider, what in bench.observed if provider == "receita"]


class TestFound:
    def test_no_provider_is_called_and_nothing_is_written(self, bench: Bench, first: ProviderLookup) -> None:
        answer = bench.look_up(COMPANY, first)
        assert (answer.record.fonte, answer.record.data_base) == ("receita", DAY)
        assert answer.record.razao_social == company(COMPANY)["razao_social"]
        assert (answer.live, answer.age, answer.stale) == (True, 0, False)
        assert answer.text == answer.record.model_dump_json()
        assert answer.content() == json.loads(answer.json())
        bench.sleep(100)
        later = bench.look_up(COMPANY, first, max_age=0)
        assert (later.age, later.asked_at, later.etag) == (0, answer.asked_at + 100, answer.etag)
        assert (bench.providers.calls, bench.store.operations) == ([], [])
        assert bench.observed == [("receita", "found")] * 2

    def test_it_comes_before_a_stored_answer_and_after_the_sandbox(self, bench, first) -> None:
        bench.look_up(COMPANY)
        assert bench.outcome(COMPANY, first) == "receita"
        assert bench.outcome("SANDBOX1000170", first) == "sandbox"
        assert bench.snapshot.asked == [COMPANY]


class TestMissing:
    def test_a_stored_answer_serves_without_a_call(self, bench: Bench, first: ProviderLookup) -> None:
        bench.look_up(NEW)
        bench.providers.calls.clear()
        assert bench.outcome(NEW, first) == "cnpja"
        assert bench.providers.calls == []

    def test_a_fresher_source_confirms_it_at_once(self, bench: Bench, first: ProviderLookup) -> None:
        error = bench.missing(NOBODY, first)
        assert (error.confirmed, error.data_base) == (True, DAY.isoformat())
        assert [provider for provider, _, _ in bench.providers.calls] == ["cnpja"]
        assert bench.snapshot.asked == [NOBODY]
        assert bench.observed == [("receita", "missing"), ("cnpja", "missing")]

    @pytest.mark.parametrize("others", [(), ("opencnpj",), ("opencnpj", "brasilapi", "cnpjws")])
    def test_neither_alone_nor_with_other_dumps_is_it_confirmed(self, bench, others) -> None:
        error = bench.missing(NOBODY, bench.instance("receita", *others))
        assert not error.confirmed
        assert error.data_base in {DAY.isoformat(), "2026-09-15"}


class TestRowsThatCannotBeRead:
    @pytest.mark.parametrize("unread", [("", "root"), ("branch", ""), None])
    def test_one_company_without_a_record_leaves_the_others(self, bench, first, unread) -> None:
        """An empty row and a damaged one are neither found nor missing."""
        branch, root = rows(COMPANY)
        bench.snapshot.rows[COMPANY] = unread or (branch + FIELD_SEPARATOR, root)
        assert bench.outcome(COMPANY, first) == "opencnpj"
        assert bench.outcome(OTHER, first) == "receita"
        assert observed(bench) == ["rejected", "found"]

    def test_an_empty_row_confirms_no_absence(self, bench: Bench) -> None:
        bench.snapshot.rows[COMPANY] = ("", "")
        bench.providers.play("cnpja", "false-404")
        assert bench.unavailable(COMPANY, bench.instance("receita", "cnpja")).lasting

    @pytest.mark.parametrize("unread", [("", "root"), ("branch", ""), None, "nameless"])
    @pytest.mark.parametrize(
        ("others", "lasting"), [((), True), (("cnpja",), False), (("opencnpj", "cnpja"), False)]
    )
    def test_asking_again_soon_helps_only_where_another_source_may_answer(
        self, bench: Bench, unread: Any, others: tuple[str, ...], lasting: bool
    ) -> None:
        branch, root = rows(COMPANY)
        nameless = (branch, root[root.index(FIELD_SEPARATOR) :])
        damaged = (branch + FIELD_SEPARATOR, root)
        bench.snapshot.rows[COMPANY] = nameless if unread == "nameless" else unread or damaged
        bench.refuse(*others)
        error = bench.unavailable(COMPANY, bench.instance("receita", *others))
        assert (error.lasting, error.nothing_failed, error.retry_after == 86_400) == (lasting,) * 3

    def test_rows_that_are_no_record_are_a_failure(self, bench: Bench, second: ProviderLookup) -> None:
        branch, root = rows(COMPANY)
        bench.snapshot.rows[COMPANY] = (
            branch,
            FIELD_SEPARATOR + root.partition(FIELD_SEPARATOR)[2],
        )  # without a name
        assert bench.outcome(COMPANY, second) == "brasilapi"


class TestFaults:
    def test_the_providers_are_called_at_once_and_the_snapshot_pauses(self, bench, first) -> None:
        bench.snapshot.broken = True
        assert bench.outcome(COMPANY, first) == "opencnpj"
        assert bench.loop.time() == 0
        bench.snapshot.broken = False
        bench.sleep(PAUSE_SECONDS - 1)
        assert bench.outcome(OTHER, first) == "opencnpj"
        assert bench.snapshot.asked == []
        bench.sleep(1)
        assert bench.outcome(THIRD, first) == "receita"
        assert observed(bench) == ["failed", "skipped", "found"]

    def test_after_the_pause_one_look_up_tries_it_for_all(self, bench: Bench, first: ProviderLookup) -> None:
        bench.snapshot.broken = True
        bench.look_up(COMPANY, first)
        bench.sleep(PAUSE_SECONDS)
        bench.look_up(OTHER, first)
        bench.look_up(THIRD, first)
        assert observed(bench) == ["failed", "failed", "skipped"]
        assert not any("receita" in field.split(":") for field in bench.store.shared)

    def test_a_clock_that_was_set_back_does_not_prolong_the_pause(self, bench: Bench) -> None:
        now = [1000.0]
        source = SnapshotSource(bench.snapshot, lambda: now[0], bench.observe)
        bench.snapshot.broken = True
        source.read(COMPANY)
        bench.snapshot.broken = False
        now[0] = 500.0
        assert isinstance(source.read(COMPANY), str)

    def test_without_it_and_the_others_there_is_no_answer(self, bench: Bench) -> None:
        bench.snapshot.broken = True
        assert bench.unavailable(COMPANY, bench.instance("receita")).retry_after == 5


class TestLater:
    def test_it_is_read_in_its_turn(self, bench: Bench, second: ProviderLookup) -> None:
        answer = bench.look_up(OTHER, second)
        assert answer.record.fonte == "receita"
        assert bench.store.entries[OTHER]["record"] == answer.text
        bench.providers.play("opencnpj", "truth")
        assert bench.outcome(COMPANY, second) == "opencnpj"
        assert bench.snapshot.asked == [OTHER]

    def test_a_hanging_snapshot_does_not_delay_the_providers(self, bench, second) -> None:
        bench.snapshot.hangs = True
        assert bench.outcome(COMPANY, second) == "brasilapi"
        assert bench.loop.time() == 0.9

    def test_nor_longer_than_a_second_where_it_is_alone(self, bench: Bench) -> None:
        alone = bench.instance("opencnpj", "receita")
        bench.refuse("opencnpj")
        bench.snapshot.hangs = True
        assert [bench.outcome(cnpj, alone) for cnpj in (COMPANY, OTHER)] == ["unavailable"] * 2
        assert bench.loop.time() == 1.0
        assert len(bench.snapshot.asked) == 1


@pytest.mark.parametrize("order", [("receita", *ALL), ("opencnpj", "receita", *ALL[1:])])
def test_without_a_snapshot_it_is_skipped_until_it_comes(bench: Bench, order: tuple[str, ...]) -> None:
    bench.snapshot.is_there = False
    registry = bench.instance(*order)
    bench.refuse("opencnpj")
    assert bench.outcome(COMPANY, registry) == "brasilapi"
    assert bench.loop.time() == 0
    assert bench.observed == [("opencnpj", "rejected"), ("brasilapi", "found")]
    assert [source.id for source in bench.health(registry)] == list(ALL)
    bench.snapshot.is_there = True
    assert bench.outcome(OTHER, registry) == "receita"


class TestHealth:
    def test_one_whose_companies_could_not_be_read_last_is_down(self, bench, first, monkeypatch) -> None:
        def fail(cnpj: str) -> None:
            raise StoreFault

        own = bench.health(first)[0]
        assert (own.id, own.state, own.breaker, own.retry_at) == ("receita", "operational", "closed", None)
        assert own.last_success == "2026-11-18T11:06:40Z"
        bench.sleep(1)
        with monkeypatch.context() as patched:
            patched.setattr(bench.snapshot, "find", fail)  # its edition can still be read
            own = bench.health(first)[0]
            assert (own.state, own.last_success) == ("down", "2026-11-18T11:06:40Z")
            assert own.retry_at == "2026-11-18T11:06:51Z"
        assert bench.health(first)[0].state == "down"  # during the pause
        bench.sleep(PAUSE_SECONDS)
        own = bench.health(first)[0]
        assert (own.state, own.last_success, own.retry_at) == ("operational", "2026-11-18T11:06:51Z", None)
        bench.sleep(1)
        assert bench.outcome(OTHER, first) == "receita"

    def test_a_damaged_company_is_not_a_failure_of_all(self, bench, first, monkeypatch) -> None:
        def damaged(cnpj: str) -> None:
            raise ValueError

        with monkeypatch.context() as patched:
            patched.setattr(bench.snapshot, "find", damaged)
            own = bench.health(first)[0]
            assert (own.state, own.last_success, own.retry_at) == ("degraded", None, None)
        assert bench.outcome(OTHER, first) == "receita"  # at once
        assert bench.health(first)[0].state == "degraded"  # until a month takes its place

    @pytest.mark.parametrize("place", [0, 41, 99])
    def test_a_damaged_company_of_a_hundred_is_found_by_halves(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, place: int
    ) -> None:
        asked, reads = numbers("11222333", 100), list[int]()
        find_many = bench.snapshot.find_many

        def read(cnpjs: Sequence[str]) -> dict[str, SnapshotCompany]:
            reads.append(len(cnpjs))
            if asked[place] in cnpjs:
                raise ValueError
            return find_many(cnpjs)

        monkeypatch.setattr(bench.snapshot, "find_many", read)
        results = SnapshotSource(bench.snapshot, lambda: 0, bench.observe).read_many(asked)
        assert [n for n, one in enumerate(results) if not isinstance(one, str)] == [place]
        assert len(reads) <= 15  # the hundred, and two parts of each of seven halves
        assert Counter(observed(bench)) == {"found": 99, "rejected": 1}
