"""Paid addresses: when they are called, with which request, and how often at most."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from brskills_server.registry.dates import start_of_day
from brskills_server.registry.errors import TokenUnavailable
from brskills_server.registry.health.evidence import EVIDENCE_SECONDS
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.providers import PAID_IDS
from brskills_server.registry.providers.catalogue import PAID_PROVIDERS
from brskills_server.registry.providers.client import ProviderClient
from brskills_server.registry.providers.results import AttemptResult, Failed
from brskills_server.registry.query import Payer
from brskills_server.registry.store import StoreFault
from tests.simulator.clock import EPOCH, run
from tests.simulator.look_up import look_up
from tests.simulator.memory import VERBS
from tests.simulator.paid import TOKENS
from tests.simulator.replies import Reply
from tests.simulator.transport import Answered
from tests.unit.registry.conftest import ALL, COMPANY, DAY, NOBODY, OTHER, Bench, number

CNPJA, CNPJWS = ({name: TOKENS[name]} for name in ("cnpja", "cnpjws"))
OTHERS = tuple(name for name in ALL if name not in PAID_IDS)
MIDNIGHT = start_of_day(EPOCH)
OFFICE = f"https://api.cnpja.com/office/{COMPANY}?simples=true&registrations=BR"


@pytest.fixture
def paying(bench: Bench) -> ProviderLookup:
    return bench.instance(tokens=TOKENS, paid_per_day=100)


def paid_calls(bench: Bench) -> list[str]:
    return [name for name in bench.sources() if name.endswith(":paid")]


class TestChoice:
    @pytest.mark.parametrize("demands", [{}, {"max_age": 0}, {"max_data_age": 7, "payer": None}])
    def test_never_without_a_limit_on_the_data_and_a_payer(self, bench, paying, demands) -> None:
        assert bench.outcome(COMPANY, paying, **demands) in {"opencnpj", "cnpja"}
        bench.refuse(*ALL)
        assert bench.outcome(OTHER, paying, **demands) == "unavailable"
        assert bench.outcome(NOBODY, paying, **demands) == "unavailable"
        assert paid_calls(bench) == []
        assert "paid" not in bench.store.shared

    @pytest.mark.parametrize(
        ("cnpj", "names", "tokens", "refused", "outcome", "asked"),
        [
            (COMPANY, ALL, TOKENS, [], "cnpja", ["cnpja:paid"]),
            (COMPANY, ["opencnpj"], CNPJA, [], "cnpja", ["cnpja:paid"]),  # a token is enough
            # The free address is its group's second choice, and is not asked after old or missing data.
            (
                COMPANY,
                ALL,
                TOKENS,
                ["cnpja:paid", "receitaws", "cnpjws:paid"],
                "cnpja",
                ["cnpja:paid", "receitaws", "cnpjws:paid", "opencnpj", "cnpja"],
            ),
            (COMPANY, ["cnpjws"], CNPJWS, [], "unavailable", ["cnpjws:paid"]),
            (NOBODY, ["cnpja"], CNPJA, [], "missing", ["cnpja:paid"]),
            (COMPANY, ["receitaws"], {"cnpja": "wrong"}, [], "receitaws", ["cnpja:paid", "receitaws"]),
        ],
    )
    def test_first_with_them(self, bench, cnpj, names, tokens, refused, outcome, asked) -> None:
        bench.refuse(*refused)
        paying = bench.instance(*names, tokens=tokens, paid_per_day=9)
        assert bench.outcome(cnpj, paying, max_data_age=7) == outcome
        assert bench.sources() == asked

    def test_not_for_what_is_stored_and_recent_enough(self, bench: Bench, paying: ProviderLookup) -> None:
        for _ in range(3):
            record = bench.look_up(COMPANY, paying, max_data_age=7).record
            assert record.inscricoes_estaduais
            assert record.simples
        assert bench.sources() == ["cnpja:paid"]
        bench.look_up(COMPANY, paying, max_age=0, max_data_age=7)
        assert bench.sources() == ["cnpja:paid"] * 2


class TestFaults:
    @pytest.mark.parametrize("status", [401, 402, 403])
    def test_a_refused_token_is_not_tried_again_for_ten_minutes(self, bench, paying, status) -> None:
        bench.refuse("cnpja:paid", fault=Reply(status, b"{}"))
        for n in range(3):
            assert bench.outcome(number(n), paying, max_data_age=7) == "receitaws"
            bench.sleep(70)
        assert bench.providers.asked("cnpja:paid") == 1
        bench.providers.play("cnpja:paid", "truth")
        bench.sleep(600)
        assert bench.outcome(number(9), paying, max_data_age=30) == "cnpja"
        assert bench.providers.asked("cnpja:paid") == 2

    @pytest.mark.parametrize("fault", ["429", "429-retry-after"])
    def test_used_up_credits_leave_the_free_address_alone(self, bench, paying, fault) -> None:
        bench.refuse("cnpja:paid", fault=fault)
        bench.look_up(COMPANY, paying, max_data_age=7)
        bench.refuse(*OTHERS, "cnpjws", "cnpjws:paid")
        assert bench.outcome(OTHER, paying) == "cnpja"
        assert bench.outcome("06990590000123", paying, max_data_age=7) == "cnpja"
        assert bench.providers.asked("cnpja:paid") == 1

    @pytest.mark.parametrize("token", ["", "two words", "a line\nand another", "número", None])
    def test_a_token_that_cannot_be_read_or_sent_uses_none_of_the_days_calls_up(self, bench, token) -> None:
        known = token

        def read() -> str:
            if known is None:
                raise TokenUnavailable("reading /brskills/cnpja: ThrottlingException")
            return known

        paying = bench.instance("receitaws", tokens={"cnpja": read}, paid_per_day=3)
        for n in range(5):
            assert bench.outcome(number(n), paying, max_data_age=7) == "receitaws"
            bench.sleep(70)
        assert paid_calls(bench) == []
        known = TOKENS["cnpja"]
        for n in range(3):
            assert bench.outcome(number(100 + n), paying, max_data_age=7) == "cnpja"


class TestLimit:
    def test_is_for_both_addresses_together(self, bench: Bench) -> None:
        paying = bench.instance(tokens=TOKENS, paid_per_day=3)
        bench.refuse("cnpja:paid", "receitaws", "cnpja")
        for n in range(3):
            bench.unavailable(number(n), paying, max_data_age=7)
        assert paid_calls(bench) == ["cnpja:paid", "cnpjws:paid", "cnpja:paid"]  # failed ones count

    def test_what_is_used_up_is_free_again_at_midnight_in_brasilia(self, bench: Bench) -> None:
        paying = bench.instance("minhareceita", tokens=CNPJA, paid_per_day=2)

        def answers() -> list[str]:
            return [bench.outcome(number(n), paying, max_age=0, max_data_age=10) for n in range(3)]

        assert answers() == ["cnpja", "cnpja", "minhareceita"]
        bench.sleep(MIDNIGHT + DAY - bench.loop.clock() - 0.001)
        assert answers() == ["minhareceita"] * 3
        bench.sleep(0.001)
        assert answers() == ["cnpja", "cnpja", "minhareceita"]
        assert bench.store.shared["paid"] == MIDNIGHT + DAY + 2

    def test_is_one_for_all_instances(self, bench: Bench) -> None:
        instances = [bench.instance("receitaws", tokens=CNPJA, paid_per_day=20) for _ in range(4)]

        async def all_at_once() -> None:
            asked = [look_up(instances[n % 4], number(n), max_data_age=7) for n in range(60)]
            await asyncio.gather(*asked, return_exceptions=True)

        bench.loop.run_until_complete(all_at_once())
        assert bench.providers.asked("cnpja:paid") == 20
        assert bench.store.shared["paid"] == MIDNIGHT + 20

    def test_zero_is_none(self, bench: Bench) -> None:
        paying = bench.instance("receitaws", tokens=TOKENS, paid_per_day=0)
        assert bench.outcome(COMPANY, paying, max_data_age=7) == "receitaws"
        assert bench.sources() == ["receitaws"]

    @pytest.mark.parametrize("fault", ["broken", "hangs"])
    @pytest.mark.parametrize("verbs", [VERBS - {"load"}, {"claim"}])
    def test_without_the_store_nothing_is_paid_for(self, bench, paying, fault, verbs) -> None:
        setattr(bench.store, fault, verbs)
        bench.unavailable(COMPANY, paying, max_data_age=7)
        assert paid_calls(bench) == []

    @pytest.mark.parametrize("damaged", ["soon", 10**15, EPOCH + DAY])
    def test_a_damaged_count_pays_for_nothing_beyond_it(self, bench: Bench, damaged: Any) -> None:
        bench.store.shared["paid"] = damaged
        paying = bench.instance("receitaws", tokens=CNPJA, paid_per_day=2)
        bench.look_up(COMPANY, paying, max_data_age=7)
        assert bench.providers.asked("cnpja:paid") == (damaged == "soon")


class TestRequest:
    @pytest.mark.parametrize(
        ("provider", "days", "url", "header"),
        [
            ("cnpja", 0, f"{OFFICE}&strategy=ONLINE", "authorization"),
            ("cnpja", 7, f"{OFFICE}&strategy=CACHE_IF_FRESH&maxAge=7", "authorization"),
            ("cnpja", 10**9, f"{OFFICE}&strategy=CACHE_IF_FRESH&maxAge=3650", "authorization"),
            ("cnpjws", 7, f"https://comercial.cnpj.ws/cnpj/{COMPANY}", "x_api_token"),
        ],
    )
    def test_its_url_and_token(self, provider: str, days: int, url: str, header: str) -> None:
        seen, _ = self.requests({}, provider, days)
        assert [str(request.url) for request in seen] == [url]
        assert seen[0].headers[header] == "the-token"
        assert seen[0].headers["connection"] == "close"  # it is sent once

    @pytest.mark.parametrize("provider", PAID_IDS)
    def test_a_configured_address_replaces_both(self, provider: str) -> None:
        seen, _ = self.requests({provider: "http://127.0.0.1:9"}, provider, 7)
        assert seen[0].url.host == "127.0.0.1"

    def test_a_redirected_token_goes_nowhere(self) -> None:
        away = httpx.Response(302, headers={"location": "https://elsewhere.example/"})
        seen, _ = self.requests({}, "cnpja", 7, lambda: away)
        assert [request.url.host for request in seen] == ["api.cnpja.com"]

    def test_none_without_a_token(self) -> None:
        def unreadable() -> str:
            raise TokenUnavailable("reading /brskills/cnpja: AccessDenied")

        assert self.requests({}, "cnpja", 7, token=unreadable) == ([], Failed(PAID_PROVIDERS["cnpja"]))

    def requests(
        self,
        urls: dict[str, str],
        provider: str,
        days: int,
        answer: Callable[[], httpx.Response] = lambda: httpx.Response(404, json={}),
        token: Callable[[], str] = lambda: "the-token",
    ) -> tuple[list[httpx.Request], AttemptResult]:
        seen: list[httpx.Request] = []

        def reply(request: httpx.Request) -> httpx.Response:
            seen.append(request)
            return answer()

        client = ProviderClient(urls, Answered(httpx.MockTransport(reply)), tokens={provider: token})
        return seen, run(client.fetch_company(PAID_PROVIDERS[provider], COMPANY, days))


def test_no_token_is_in_a_state_an_exception_or_a_text(bench: Bench, paying: ProviderLookup) -> None:
    bench.look_up(COMPANY, paying, max_data_age=7)
    bench.refuse(*ALL, *(f"{name}:paid" for name in PAID_IDS))
    error = bench.unavailable(NOBODY, paying, max_data_age=7)
    shown = repr([bench.store.shared, bench.store.entries, error, error.__dict__, paying])
    shown += repr([vars(part) for part in vars(paying).values() if hasattr(part, "__dict__")])
    assert not [token for token in TOKENS.values() if token in shown]


class TestPayer:
    def test_a_used_up_share_takes_none_of_the_days_calls(self, bench: Bench, paying: ProviderLookup) -> None:
        asked: list[str] = []
        spent = Payer("acc_1", lambda: asked.append("share") or len(asked) <= 2)
        sources = [bench.outcome(number(n), paying, max_data_age=7, payer=spent) for n in range(6)]
        assert sources[:2] == ["cnpja", "cnpja"]
        assert "cnpja:paid" not in bench.sources()[2:]
        assert bench.store.shared["paid"] == MIDNIGHT + 2
        assert len(asked) == 3  # what was refused is remembered for the day
        assert bench.outcome(number(7), paying, max_data_age=7) == "cnpja"
        bench.sleep(MIDNIGHT + DAY - bench.loop.clock())
        bench.look_up(number(8), paying, max_data_age=7, payer=spent)
        assert len(asked) == 4

    def test_every_used_up_share_is_remembered(self, bench: Bench, paying: ProviderLookup) -> None:
        claims: list[str] = []
        payers = [Payer(name, lambda name=name: claims.append(name) or False) for name in ("acc_1", "acc_2")]
        for n in range(4):
            bench.look_up(number(n), paying, max_data_age=7, payer=payers[n % 2])
        assert claims == ["acc_1", "acc_2"]

    def test_a_used_up_day_takes_nothing_of_a_share(self, bench: Bench) -> None:
        paying = bench.instance("receitaws", tokens=CNPJA, paid_per_day=1)
        bench.look_up(number(1), paying, max_data_age=7)
        late = Payer("acc_1", lambda: pytest.fail("claimed"))
        assert bench.outcome(number(2), paying, max_data_age=7, payer=late) == "receitaws"

    def test_a_share_that_cannot_be_claimed_pays_for_nothing(self, bench, paying) -> None:
        def claim() -> bool:
            raise StoreFault

        assert bench.outcome(COMPANY, paying, max_data_age=7, payer=Payer("acc_1", claim)) == "receitaws"
        assert "cnpja:paid" not in bench.sources()


class TestWhatCounts:
    def test_a_paid_unconfirmed_absence_is_marked_paid(self, bench: Bench) -> None:
        paying = bench.instance("cnpja", tokens=CNPJA, paid_per_day=9)
        paid = [bench.missing(NOBODY, paying, max_data_age=7).paid for _ in range(2)]
        assert paid == [True, False]

    @pytest.mark.parametrize(
        ("found", "outcome"), [("cnpja", "absent"), ("cnpja:paid", "absent"), ("", "missing")]
    )
    def test_one_that_denies_every_number_confirms_nothing(self, bench, found: str, outcome: str) -> None:
        """Whole sources have denied everything for hours, and a control would cost money."""
        paying = bench.instance("opencnpj", tokens=CNPJA, paid_per_day=9)
        if found != "cnpja":
            del bench.store.shared["seen:cnpja:companies"]
        if found == "cnpja:paid":
            assert bench.outcome(OTHER, paying, max_data_age=30) == "cnpja"
            bench.sleep(EVIDENCE_SECONDS - 1)
            bench.look_up(COMPANY, bench.instance("opencnpj"))
        bench.refuse("opencnpj", "cnpja:paid", fault="denies-all")
        assert bench.outcome("60746948000112", paying, max_data_age=90) == outcome

    @pytest.mark.parametrize("fault", ["500", "429", "silent", Reply(401, b"{}"), Reply(200, b"<html>")])
    def test_a_paid_address_that_fails_counts_nothing(self, bench: Bench, fault: str | Reply) -> None:
        paying = bench.instance("cnpjws", tokens=CNPJWS, paid_per_day=9)
        bench.refuse("cnpjws:paid", "cnpjws", fault=fault)
        assert not bench.unavailable(COMPANY, paying, max_data_age=7).paid
        assert bench.store.shared["paid"] == MIDNIGHT + 1


class TestTooOldPaidAnswers:
    @pytest.fixture
    def old(self, bench: Bench) -> ProviderLookup:
        return bench.instance("opencnpj", tokens=CNPJWS, paid_per_day=9)

    def test_a_paid_address_is_called_once_a_day_for_data_that_it_lacks(self, bench, old) -> None:
        demands = ((7, None), (7, None), (3, None), (30, 0))
        errors = [bench.unavailable(COMPANY, old, max_data_age=days, max_age=age) for days, age in demands]
        assert [error.paid for error in errors] == [True, False, False, False]
        assert errors[0].retry_after == DAY, "another call the same day would be paid for in vain"
        assert errors[0].nothing_failed
        assert bench.providers.asked("cnpjws:paid") == 1
        assert bench.outcome(COMPANY, old, max_data_age=60) == "cnpjws"
        bench.sleep(MIDNIGHT + DAY - bench.loop.clock())
        assert bench.unavailable(COMPANY, old, max_data_age=7).paid
        assert bench.providers.asked("cnpjws:paid") == 2

    @pytest.mark.parametrize(("later", "calls"), [(100, 1), (101, 2)])
    def test_nor_longer_than_a_stored_answer_serves(self, bench: Bench, later: int, calls: int) -> None:
        old = bench.instance("opencnpj", fresh_seconds=100, tokens=CNPJWS, paid_per_day=9)
        bench.unavailable(COMPANY, old, max_data_age=7)
        bench.sleep(later)
        bench.unavailable(COMPANY, old, max_data_age=7)
        assert bench.providers.asked("cnpjws:paid") == calls

    def test_also_where_the_stored_record_is_newer_than_the_paid_answer(self, bench, old) -> None:
        assert bench.outcome(COMPANY, bench.instance("cnpja")) == "cnpja"
        stored = bench.store.entries[COMPANY]["record"]
        bench.sleep(9 * DAY)
        paid = [bench.unavailable(COMPANY, old, max_data_age=1).paid for _ in range(2)]
        assert paid == [True, False]
        assert bench.store.entries[COMPANY]["record"] == stored
