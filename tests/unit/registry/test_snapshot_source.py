"""The look-up over the register's snapshot: as first or later source, failing, or missing."""

import json

import pytest

from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.snapshot.rows import FIELD
from brskills_server.registry.snapshot.source import PAUSE_SECONDS, SnapshotSource
from brskills_server.registry.store import StoreFault
from tests.register.copy_file import rows_of
from tests.simulator.companies import company
from tests.simulator.snapshot import DAY
from tests.unit.registry.conftest import ALL, Bench

COMPANY = "11222333000181"
OTHER = "33000167000101"
NOBODY = "99222333000105"
NEW = "98222333000142"


@pytest.fixture
def first(bench: Bench) -> ProviderLookup:
    """The snapshot before all others."""
    return bench.instance("receita", *ALL)


@pytest.fixture
def second(bench: Bench) -> ProviderLookup:
    """The snapshot after OpenCNPJ."""
    return bench.instance("opencnpj", "receita", *ALL[1:])


def rows(cnpj: str) -> tuple[str, str]:
    found = rows_of(company(cnpj))
    return found[cnpj], found[cnpj[:8]]


class TestFound:
    def test_no_provider_is_called_and_nothing_is_written(self, bench: Bench, first: ProviderLookup) -> None:
        answer = bench.look_up(COMPANY, first)
        assert (answer.record.fonte, answer.record.data_base) == ("receita", DAY)
        assert answer.record.razao_social == company(COMPANY)["razao_social"]
        assert (answer.live, answer.age, answer.stale) == (True, 0, False)
        assert (bench.providers.calls, bench.store.operations) == ([], [])
        assert bench.observed == [("receita", "found")]

    def test_the_text_is_the_json_of_the_record(self, bench: Bench, first: ProviderLookup) -> None:
        answer = bench.look_up(COMPANY, first)
        assert answer.text == answer.record.model_dump_json()
        assert answer.content() == json.loads(answer.json())

    def test_it_is_consulted_now_and_its_etag_stays(self, bench: Bench, first: ProviderLookup) -> None:
        before = bench.look_up(COMPANY, first)
        bench.sleep(100)
        answer = bench.look_up(COMPANY, first, max_age=0)
        assert (answer.age, answer.asked_at) == (0, before.asked_at + 100)
        assert answer.etag == before.etag
        assert bench.providers.calls == []

    def test_it_comes_before_a_fresher_stored_answer(self, bench: Bench, first: ProviderLookup) -> None:
        bench.look_up(COMPANY)
        assert bench.look_up(COMPANY, first).record.fonte == "receita"

    def test_sandbox_companies_come_before_it(self, bench: Bench, first: ProviderLookup) -> None:
        assert bench.look_up("SANDBOX1000170", first).record.fonte == "sandbox"
        assert bench.snapshot.asked == []


class TestMissing:
    def test_a_stored_answer_serves_without_a_call(self, bench: Bench, first: ProviderLookup) -> None:
        bench.look_up(NEW)
        bench.providers.calls.clear()
        assert bench.look_up(NEW, first).record.fonte == "cnpja"
        assert bench.providers.calls == []

    def test_a_fresher_source_confirms_it_at_once(self, bench: Bench, first: ProviderLookup) -> None:
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(NOBODY, first)
        assert (error.value.confirmed, error.value.data_base) == (True, DAY.isoformat())
        assert [provider for provider, _, _ in bench.providers.calls] == ["cnpja"]
        assert bench.snapshot.asked == [NOBODY]
        assert bench.observed == [("receita", "missing"), ("cnpja", "missing")]

    @pytest.mark.parametrize("others", [(), ("opencnpj",), ("opencnpj", "brasilapi", "cnpjws")])
    def test_neither_alone_nor_with_other_dumps_is_it_confirmed(
        self, bench: Bench, others: tuple[str, ...]
    ) -> None:
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(NOBODY, bench.instance("receita", *others))
        assert error.value.confirmed is False
        assert error.value.data_base in {DAY.isoformat(), "2026-09-15"}


class TestRowsThatCannotBeRead:
    @pytest.mark.parametrize("unread", [("", "root"), ("branch", "")])
    def test_an_empty_row_is_neither_found_nor_missing(
        self, bench: Bench, first: ProviderLookup, unread: tuple[str, str]
    ) -> None:
        bench.snapshot.rows[COMPANY] = unread
        assert bench.look_up(COMPANY, first).record.fonte == "opencnpj"
        bench.sleep(1)
        assert bench.look_up(OTHER, first).record.fonte == "receita"
        assert bench.observed == [("receita", "skipped"), ("opencnpj", "found"), ("receita", "found")]

    def test_an_empty_row_confirms_no_absence(self, bench: Bench) -> None:
        bench.snapshot.rows[COMPANY] = ("", "")
        bench.providers.play("cnpja", "false-404")
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(COMPANY, bench.instance("receita", "cnpja"))
        assert error.value.confirmed is False

    def test_a_damaged_row_is_a_failure_of_that_row_alone(self, bench: Bench, first: ProviderLookup) -> None:
        bench.snapshot.rows[COMPANY] = (rows(COMPANY)[0] + FIELD, rows(COMPANY)[1])
        assert bench.look_up(COMPANY, first).record.fonte == "opencnpj"
        assert bench.look_up(OTHER, first).record.fonte == "receita"
        assert bench.observed == [("receita", "failed"), ("opencnpj", "found"), ("receita", "found")]


class TestFaults:
    def test_the_providers_are_called_at_once_and_the_snapshot_pauses(
        self, bench: Bench, first: ProviderLookup
    ) -> None:
        bench.snapshot.broken = True
        assert bench.look_up(COMPANY, first).record.fonte == "opencnpj"
        assert bench.loop.time() == 0
        bench.snapshot.broken = False
        bench.sleep(PAUSE_SECONDS - 1)
        assert bench.look_up(OTHER, first).record.fonte == "opencnpj"
        assert bench.snapshot.asked == []
        bench.sleep(1)
        assert bench.look_up("11444777000161", first).record.fonte == "receita"
        assert [what for provider, what in bench.observed if provider == "receita"] == [
            "failed",
            "skipped",
            "found",
        ]

    def test_when_the_rest_is_over_one_look_up_tries_it_for_all(
        self, bench: Bench, first: ProviderLookup
    ) -> None:
        bench.snapshot.broken = True
        bench.look_up(COMPANY, first)
        bench.sleep(PAUSE_SECONDS)
        bench.look_up(OTHER, first)
        bench.look_up("11444777000161", first)
        assert [what for provider, what in bench.observed if provider == "receita"] == [
            "failed",
            "failed",
            "skipped",
        ]

    def test_a_clock_that_was_set_back_does_not_prolong_the_rest(self, bench: Bench) -> None:
        now = [1000.0]
        source = SnapshotSource(bench.snapshot, lambda: now[0], bench.observe)
        bench.snapshot.broken = True
        source.read(COMPANY)
        bench.snapshot.broken = False
        now[0] = 500.0
        assert isinstance(source.read(COMPANY), str)

    def test_nothing_of_it_goes_into_the_shared_state(self, bench: Bench, first: ProviderLookup) -> None:
        for _ in range(6):
            bench.snapshot.broken = True
            bench.look_up(COMPANY, first, max_age=0)
            bench.sleep(PAUSE_SECONDS)
        assert not any("receita" in field for field in bench.store.shared)

    def test_without_it_and_the_others_there_is_no_answer(self, bench: Bench) -> None:
        bench.snapshot.broken = True
        with pytest.raises(SourcesUnavailable) as error:
            bench.look_up(COMPANY, bench.instance("receita"))
        assert error.value.retry_after == 5


class TestLater:
    def test_it_is_read_in_its_turn(self, bench: Bench, second: ProviderLookup) -> None:
        assert bench.look_up(COMPANY, second).record.fonte == "opencnpj"
        assert bench.snapshot.asked == []
        bench.providers.play("opencnpj", "500")
        answer = bench.look_up(OTHER, second)
        assert answer.record.fonte == "receita"
        assert bench.store.entries[OTHER]["record"] == answer.text

    def test_a_hanging_snapshot_does_not_delay_the_providers(
        self, bench: Bench, second: ProviderLookup
    ) -> None:
        bench.providers.play("opencnpj", "500")
        bench.snapshot.hangs = True
        assert bench.look_up(COMPANY, second).record.fonte == "brasilapi"
        assert bench.loop.time() == 0.9

    def test_nor_longer_than_a_second_where_it_is_alone(self, bench: Bench) -> None:
        alone = bench.instance("opencnpj", "receita")
        bench.providers.play("opencnpj", "500")
        bench.snapshot.hangs = True
        for cnpj in (COMPANY, OTHER):
            with pytest.raises(SourcesUnavailable):
                bench.look_up(cnpj, alone)
        assert bench.loop.time() == 1.0
        assert len(bench.snapshot.asked) == 1

    def test_rows_that_are_no_record_are_a_failure(self, bench: Bench, second: ProviderLookup) -> None:
        bench.providers.play("opencnpj", "500")
        branch, root = rows(COMPANY)
        bench.snapshot.rows[COMPANY] = (branch, FIELD + root.partition(FIELD)[2])  # without a name
        assert bench.look_up(COMPANY, second).record.fonte == "brasilapi"


class TestMissingSnapshot:
    @pytest.mark.parametrize("order", [("receita", *ALL), ("opencnpj", "receita", *ALL[1:])])
    def test_it_is_skipped_without_an_observation(self, bench: Bench, order: tuple[str, ...]) -> None:
        bench.snapshot.is_there = False
        registry = bench.instance(*order)
        bench.providers.play("opencnpj", "500")
        assert bench.look_up(COMPANY, registry).record.fonte == "brasilapi"
        assert bench.loop.time() == 0
        assert bench.observed == [("opencnpj", "rejected"), ("brasilapi", "found")]
        assert [source.id for source in bench.health(registry)] == list(ALL)

    def test_it_serves_as_soon_as_it_comes(self, bench: Bench, first: ProviderLookup) -> None:
        bench.snapshot.is_there = False
        bench.look_up(COMPANY, first)
        bench.snapshot.is_there = True
        assert bench.look_up(COMPANY, first).record.fonte == "receita"


class TestHealth:
    def test_reading_it_at_that_moment_is_a_success(self, bench: Bench, first: ProviderLookup) -> None:
        own = bench.health(first)[0]
        assert (own.id, own.state, own.breaker, own.retry_at) == ("receita", "operational", "closed", None)
        assert own.last_success == "2026-11-18T11:06:40Z"

    def test_one_whose_companies_could_not_be_read_last_is_down(
        self, bench: Bench, first: ProviderLookup, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(cnpj: str) -> None:
            raise StoreFault

        assert bench.health(first)[0].state == "operational"
        bench.sleep(1)
        with monkeypatch.context() as patched:
            patched.setattr(bench.snapshot, "find", fail)  # its month can still be named
            own = bench.health(first)[0]
            assert (own.state, own.last_success) == ("down", "2026-11-18T11:06:40Z")
            assert own.retry_at == "2026-11-18T11:06:51Z"
        assert bench.health(first)[0].state == "down"  # it is left alone for a while
        bench.sleep(PAUSE_SECONDS)
        own = bench.health(first)[0]
        assert (own.state, own.last_success, own.retry_at) == ("operational", "2026-11-18T11:06:51Z", None)
        bench.sleep(1)
        assert bench.look_up(OTHER, first).record.fonte == "receita"

    def test_a_damaged_company_is_not_a_copy_that_cannot_be_read(
        self, bench: Bench, first: ProviderLookup, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def damaged(cnpj: str) -> None:
            raise ValueError

        monkeypatch.setattr(bench.snapshot, "find", damaged)
        assert bench.health(first)[0].state == "operational"
