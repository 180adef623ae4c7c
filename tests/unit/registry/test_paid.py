"""Paid addresses: when they are called, with which request, and how often at most."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from brskills_server.registry.dates import start_of_day
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable, TokenUnavailable
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.providers import PAID_IDS
from brskills_server.registry.providers.catalogue import PAID_PROVIDERS
from brskills_server.registry.providers.fetcher import Fetcher
from brskills_server.registry.providers.results import Failed, Rejected
from brskills_server.registry.query import Payer
from brskills_server.registry.store import StoreFault
from tests.simulator.clock import EPOCH, run
from tests.simulator.look_up import look_up
from tests.simulator.memory import VERBS
from tests.simulator.paid import TOKENS
from tests.simulator.replies import Reply
from tests.unit.registry.conftest import ALL, Bench

COMPANY = "11222333000181"
NOBODY = "99222333000105"
DAY = 86_400
OTHERS = tuple(name for name in ALL if name not in PAID_IDS)


def number(n: int) -> str:
    return f"1{n:011}00"


@pytest.fixture
def paying(bench: Bench) -> ProviderLookup:
    return bench.instance(tokens=TOKENS, paid_per_day=100)


class TestChoice:
    @pytest.mark.parametrize("demands", [{}, {"max_age": 0}])
    def test_never_without_a_demand_on_the_data(
        self, bench: Bench, paying: ProviderLookup, demands: dict[str, int]
    ) -> None:
        assert bench.look_up(COMPANY, paying, **demands).record.fonte == "opencnpj"
        bench.refuse(*ALL)
        with pytest.raises(SourcesUnavailable):
            bench.look_up("33000167000101", paying, **demands)
        with pytest.raises(SourcesUnavailable):
            bench.look_up(NOBODY, paying, **demands)
        assert not any(name.endswith("paid") for name in bench.sources())
        assert "paid" not in bench.store.shared

    def test_first_with_one(self, bench: Bench, paying: ProviderLookup) -> None:
        answer = bench.look_up(COMPANY, paying, max_data_age=7)
        assert (answer.record.fonte, bench.sources()) == ("cnpja", ["cnpja:paid"])
        assert answer.record.inscricoes_estaduais
        assert answer.record.simples

    def test_not_for_what_is_stored_and_recent_enough(self, bench: Bench, paying: ProviderLookup) -> None:
        for _ in range(3):
            bench.look_up(COMPANY, paying, max_data_age=7)
        assert bench.sources() == ["cnpja:paid"]

    def test_the_free_address_is_its_groups_second_choice(self, bench: Bench, paying: ProviderLookup) -> None:
        bench.refuse("cnpja:paid", "receitaws", "cnpjws:paid")
        assert bench.look_up(COMPANY, paying, max_data_age=7).record.fonte == "cnpja"
        assert bench.sources() == ["cnpja:paid", "receitaws", "cnpjws:paid", "opencnpj", "cnpja"]

    def test_it_is_not_asked_where_the_paid_one_has_old_data(self, bench: Bench) -> None:
        paying = bench.instance("cnpjws", tokens={"cnpjws": TOKENS["cnpjws"]}, paid_per_day=9)
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, paying, max_data_age=7)
        assert bench.sources() == ["cnpjws:paid"]
        assert bench.look_up(COMPANY, paying, max_data_age=41).record.fonte == "cnpjws"

    def test_a_token_is_enough(self, bench: Bench) -> None:
        paying = bench.instance("opencnpj", tokens={"cnpja": TOKENS["cnpja"]}, paid_per_day=1)
        assert bench.look_up(COMPANY, paying, max_data_age=7).record.fonte == "cnpja"

    def test_paid_and_free_address_are_one_group(self, bench: Bench) -> None:
        paying = bench.instance("cnpja", tokens={"cnpja": TOKENS["cnpja"]}, paid_per_day=9)
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(NOBODY, paying, max_data_age=7)
        assert (error.value.confirmed, bench.sources()) == (False, ["cnpja:paid"])


class TestFaults:
    @pytest.mark.parametrize("status", [401, 402, 403])
    def test_a_refused_token_is_not_tried_again_for_ten_minutes(
        self, bench: Bench, paying: ProviderLookup, status: int
    ) -> None:
        bench.refuse("cnpja:paid", fault=Reply(status, b"{}"))
        for n in range(3):
            assert bench.look_up(number(n), paying, max_data_age=7).record.fonte == "receitaws"
            bench.sleep(70)
        assert bench.providers.asked("cnpja:paid") == 1
        bench.providers.play("cnpja:paid", "truth")
        bench.sleep(600)
        assert bench.look_up(number(9), paying, max_data_age=30).record.fonte == "cnpja"
        assert bench.providers.asked("cnpja:paid") == 2

    @pytest.mark.parametrize("fault", ["429", "429-retry-after"])
    def test_used_up_credits_leave_the_free_address_alone(
        self, bench: Bench, paying: ProviderLookup, fault: str
    ) -> None:
        bench.refuse("cnpja:paid", fault=fault)
        bench.look_up(COMPANY, paying, max_data_age=7)
        bench.refuse(*OTHERS, "cnpjws", "cnpjws:paid")
        assert bench.look_up("33000167000101", paying).record.fonte == "cnpja"
        assert bench.look_up("06990590000123", paying, max_data_age=7).record.fonte == "cnpja"
        assert bench.providers.asked("cnpja:paid") == 1

    def test_a_wrong_token(self, bench: Bench) -> None:
        paying = bench.instance("receitaws", tokens={"cnpja": "another"}, paid_per_day=9)
        assert bench.look_up(COMPANY, paying, max_data_age=7).record.fonte == "receitaws"
        assert bench.sources() == ["cnpja:paid", "receitaws"]

    def test_a_token_that_cannot_be_read(self) -> None:
        def unreadable() -> str:
            raise TokenUnavailable("reading /brskills/cnpja: AccessDenied")

        asked: list[httpx.Request] = []
        transport = httpx.MockTransport(lambda request: asked.append(request) or httpx.Response(500))
        fetcher = Fetcher({}, "test", transport, tokens={"cnpja": unreadable})
        assert type(run(fetcher.fetch_company(PAID_PROVIDERS["cnpja"], COMPANY, 7))) is Failed
        assert asked == []

    @pytest.mark.parametrize("token", ["", "two words", "a line\nand another", "número", None])
    def test_one_that_cannot_be_read_or_sent_uses_none_of_the_days_calls_up(
        self, bench: Bench, token: str | None
    ) -> None:
        known = token

        def read() -> str:
            if known is None:
                raise TokenUnavailable("reading /brskills/cnpja: ThrottlingException")
            return known

        paying = bench.instance("receitaws", tokens={"cnpja": read}, paid_per_day=3)
        for n in range(20):
            assert bench.look_up(number(n), paying, max_data_age=7).record.fonte == "receitaws"
            bench.sleep(70)
        assert "cnpja:paid" not in bench.sources()
        known = TOKENS["cnpja"]
        for n in range(3):
            assert bench.look_up(number(100 + n), paying, max_data_age=7).record.fonte == "cnpja"

    def test_a_dropped_call_is_not_repeated(self) -> None:
        calls = []

        def drop(request: httpx.Request) -> httpx.Response:
            calls.append(request)
            raise httpx.ReadError("gone")

        fetcher = Fetcher({}, "test", httpx.MockTransport(drop), tokens={"cnpja": lambda: "t"})
        assert type(run(fetcher.fetch_company(PAID_PROVIDERS["cnpja"], COMPANY, 7))) is Rejected
        assert len(calls) == 1


class TestLimit:
    def test_is_for_both_addresses_together(self, bench: Bench) -> None:
        paying = bench.instance(tokens=TOKENS, paid_per_day=3)
        bench.refuse("cnpja:paid", "receitaws", "cnpja")
        for n in range(3):
            with pytest.raises(SourcesUnavailable):
                bench.look_up(number(n), paying, max_data_age=7)
        assert [name for name in bench.sources() if name.endswith("paid")] == [
            *("cnpja:paid", "cnpjws:paid"),
            "cnpja:paid",  # which failed, and counts
        ]

    def test_what_is_used_up_is_free_again_at_midnight_in_brasilia(self, bench: Bench) -> None:
        paying = bench.instance("minhareceita", tokens={"cnpja": TOKENS["cnpja"]}, paid_per_day=2)

        def answers() -> list[str]:
            found = [bench.look_up(number(n), paying, max_age=0, max_data_age=10) for n in range(3)]
            return [answer.record.fonte for answer in found]

        assert answers() == ["cnpja", "cnpja", "minhareceita"]
        midnight = start_of_day(EPOCH) + DAY
        bench.sleep(midnight - bench.loop.clock() - 0.001)
        assert answers() == ["minhareceita"] * 3
        bench.sleep(0.001)
        assert answers() == ["cnpja", "cnpja", "minhareceita"]
        assert bench.store.shared["paid"] == midnight + 2

    def test_is_one_for_all_instances(self, bench: Bench) -> None:
        instances = [
            bench.instance("receitaws", tokens={"cnpja": TOKENS["cnpja"]}, paid_per_day=50) for _ in range(8)
        ]

        async def all_at_once() -> None:
            asked = [look_up(instances[n % 8], number(n), max_data_age=7) for n in range(200)]
            await asyncio.gather(*asked, return_exceptions=True)

        bench.loop.run_until_complete(all_at_once())
        assert bench.providers.asked("cnpja:paid") == 50
        assert bench.store.shared["paid"] == start_of_day(EPOCH) + 50

    def test_zero_is_none(self, bench: Bench) -> None:
        paying = bench.instance("receitaws", tokens=TOKENS, paid_per_day=0)
        assert bench.look_up(COMPANY, paying, max_data_age=7).record.fonte == "receitaws"
        assert bench.sources() == ["receitaws"]

    @pytest.mark.parametrize("fault", ["broken", "hangs"])
    @pytest.mark.parametrize("verbs", [VERBS - {"load"}, {"claim"}])
    def test_without_the_store_nothing_is_paid_for(
        self, bench: Bench, paying: ProviderLookup, fault: str, verbs: set[str]
    ) -> None:
        setattr(bench.store, fault, verbs)
        with pytest.raises(SourcesUnavailable):
            bench.look_up(COMPANY, paying, max_data_age=7)
        assert not any(name.endswith("paid") for name in bench.sources())

    @pytest.mark.parametrize("damaged", ["soon", 10**15, EPOCH + DAY])
    def test_a_damaged_count_pays_for_nothing_beyond_it(self, bench: Bench, damaged: Any) -> None:
        bench.store.shared["paid"] = damaged
        paying = bench.instance("receitaws", tokens={"cnpja": TOKENS["cnpja"]}, paid_per_day=2)
        bench.look_up(COMPANY, paying, max_data_age=7)
        assert bench.providers.asked("cnpja:paid") == (damaged == "soon")


class TestRequest:
    @pytest.mark.parametrize(
        ("provider", "days", "url", "header"),
        [
            (
                "cnpja",
                0,
                f"https://api.cnpja.com/office/{COMPANY}?simples=true&registrations=BR&strategy=ONLINE",
                "authorization",
            ),
            (
                "cnpja",
                7,
                f"https://api.cnpja.com/office/{COMPANY}"
                "?simples=true&registrations=BR&strategy=CACHE_IF_FRESH&maxAge=7",
                "authorization",
            ),
            ("cnpjws", 7, f"https://comercial.cnpj.ws/cnpj/{COMPANY}", "x_api_token"),
        ],
    )
    def test_its_url_and_token(self, provider: str, days: int, url: str, header: str) -> None:
        seen = self.requests({}, provider, days)
        assert [str(request.url) for request in seen] == [url]
        assert seen[0].headers[header] == "the-token"

    def test_no_age_is_more_than_the_address_takes(self) -> None:
        assert str(self.requests({}, "cnpja", 10**9)[0].url).endswith("&maxAge=3650")

    @pytest.mark.parametrize("provider", PAID_IDS)
    def test_a_configured_address_replaces_both(self, provider: str) -> None:
        urls = {provider: "http://127.0.0.1:9"}
        assert self.requests(urls, provider, 7)[0].url.host == "127.0.0.1"

    def test_a_redirected_token_goes_nowhere(self) -> None:
        away = httpx.Response(302, headers={"location": "https://elsewhere.example/"})
        seen = self.requests({}, "cnpja", 7, away)
        assert [request.url.host for request in seen] == ["api.cnpja.com"]

    def requests(
        self, urls: dict[str, str], provider: str, days: int, answer: httpx.Response | None = None
    ) -> list[httpx.Request]:
        seen: list[httpx.Request] = []

        def reply(request: httpx.Request) -> httpx.Response:
            seen.append(request)
            return answer or httpx.Response(404, json={})

        fetcher = Fetcher(urls, "test", httpx.MockTransport(reply), tokens={provider: lambda: "the-token"})
        run(fetcher.fetch_company(PAID_PROVIDERS[provider], COMPANY, days))
        return seen


def test_no_token_is_in_a_state_an_error_or_a_text(bench: Bench) -> None:
    paying = bench.instance(tokens=TOKENS, paid_per_day=100)
    bench.look_up(COMPANY, paying, max_data_age=7)
    bench.refuse(*ALL, *(f"{name}:paid" for name in PAID_IDS))
    with pytest.raises(SourcesUnavailable) as error:
        bench.look_up(NOBODY, paying, max_data_age=7)
    shown = repr([bench.store.shared, bench.store.entries, error.value, error.value.__dict__, paying])
    shown += repr([vars(part) for part in vars(paying).values() if hasattr(part, "__dict__")])
    assert not [token for token in TOKENS.values() if token in shown]


class TestPayer:
    def test_without_one_no_paid_address_is_called(self, bench: Bench, paying: ProviderLookup) -> None:
        assert bench.look_up(COMPANY, paying, max_data_age=7, payer=None).record.fonte == "cnpja"
        assert not any(name.endswith("paid") for name in bench.sources())
        assert "paid" not in bench.store.shared

    def test_a_used_up_share_takes_none_of_the_days_calls(self, bench: Bench, paying: ProviderLookup) -> None:
        asked: list[str] = []
        spent = Payer("acc_1", lambda: asked.append("share") or len(asked) <= 2)
        fonts = [bench.look_up(number(n), paying, max_data_age=7, payer=spent).record.fonte for n in range(6)]
        assert fonts[:2] == ["cnpja", "cnpja"]
        assert "cnpja:paid" not in bench.sources()[2:]
        assert bench.store.shared["paid"] == start_of_day(EPOCH) + 2
        assert len(asked) == 3  # what was refused is remembered for the day
        assert bench.look_up(number(7), paying, max_data_age=7).record.fonte == "cnpja"

    def test_a_used_up_day_takes_nothing_of_a_share(self, bench: Bench) -> None:
        paying = bench.instance("receitaws", tokens={"cnpja": TOKENS["cnpja"]}, paid_per_day=1)
        bench.look_up(number(1), paying, max_data_age=7)
        late = Payer("acc_1", lambda: pytest.fail("claimed"))
        assert bench.look_up(number(2), paying, max_data_age=7, payer=late).record.fonte == "receitaws"

    def test_a_share_that_cannot_be_claimed_pays_for_nothing(
        self, bench: Bench, paying: ProviderLookup
    ) -> None:
        def claim() -> bool:
            raise StoreFault

        away = Payer("acc_1", claim)
        assert bench.look_up(COMPANY, paying, max_data_age=7, payer=away).record.fonte == "receitaws"
        assert "cnpja:paid" not in bench.sources()


class TestWhatCounts:
    def test_a_paid_answer_with_too_old_data_is_marked_paid(self, bench: Bench) -> None:
        paying = bench.instance("cnpjws", tokens={"cnpjws": TOKENS["cnpjws"]}, paid_per_day=9)
        with pytest.raises(SourcesUnavailable) as error:
            bench.look_up(COMPANY, paying, max_data_age=7)
        assert (error.value.paid, error.value.nothing_failed) == (True, True)

    def test_a_paid_unconfirmed_absence_is_marked_paid(self, bench: Bench) -> None:
        paying = bench.instance("cnpja", tokens={"cnpja": TOKENS["cnpja"]}, paid_per_day=9)
        with pytest.raises(CompanyNotFound) as error:
            bench.look_up(NOBODY, paying, max_data_age=7)
        assert (error.value.confirmed, error.value.paid) == (False, True)
        with pytest.raises(CompanyNotFound) as stored:
            bench.look_up(NOBODY, paying, max_data_age=7)
        assert not stored.value.paid

    @pytest.mark.parametrize("fault", ["500", "429", "silent", Reply(401, b"{}"), Reply(200, b"<html>")])
    def test_a_paid_address_that_fails_counts_nothing(self, bench: Bench, fault: str | Reply) -> None:
        paying = bench.instance("cnpjws", tokens={"cnpjws": TOKENS["cnpjws"]}, paid_per_day=9)
        bench.refuse("cnpjws:paid", "cnpjws", fault=fault)
        with pytest.raises(SourcesUnavailable) as error:
            bench.look_up(COMPANY, paying, max_data_age=7)
        assert not error.value.paid
        assert bench.store.shared["paid"] == start_of_day(EPOCH) + 1


class TestTooOldPaidAnswers:
    @pytest.fixture
    def old(self, bench: Bench) -> ProviderLookup:
        return bench.instance("opencnpj", tokens={"cnpjws": TOKENS["cnpjws"]}, paid_per_day=9)

    def ask(
        self, bench: Bench, instance: ProviderLookup, days: int = 7, **demands: Any
    ) -> SourcesUnavailable:
        with pytest.raises(SourcesUnavailable) as error:
            bench.look_up(COMPANY, instance, max_data_age=days, **demands)
        return error.value

    def test_a_paid_address_is_called_once_a_day_for_data_that_it_lacks(
        self, bench: Bench, old: ProviderLookup
    ) -> None:
        paid = [self.ask(bench, old, days, **demands).paid for days, demands in (
            (7, {}), (7, {}), (3, {}), (30, {"max_age": 0}),
        )]  # fmt: skip
        assert paid == [True, False, False, False]
        assert bench.providers.asked("cnpjws:paid") == 1
        assert bench.look_up(COMPANY, old, max_data_age=60).record.fonte == "cnpjws"
        bench.sleep(start_of_day(EPOCH) + DAY - bench.loop.clock())
        assert self.ask(bench, old).paid
        assert bench.providers.asked("cnpjws:paid") == 2

    def test_also_where_the_stored_record_is_newer_than_the_paid_answer(
        self, bench: Bench, old: ProviderLookup
    ) -> None:
        assert bench.look_up(COMPANY, bench.instance("cnpja")).record.fonte == "cnpja"
        stored = bench.store.entries[COMPANY]["record"]
        bench.sleep(9 * DAY)
        paid = [self.ask(bench, old, 1).paid for _ in range(2)]
        assert paid == [True, False]
        assert bench.store.entries[COMPANY]["record"] == stored

    def test_a_stricter_limit_is_a_new_paid_call(self, bench: Bench, paying: ProviderLookup) -> None:
        bench.look_up(COMPANY, paying, max_data_age=400)
        bench.look_up(COMPANY, paying, max_age=0, max_data_age=7)
        assert bench.providers.asked("cnpja:paid") == 2
