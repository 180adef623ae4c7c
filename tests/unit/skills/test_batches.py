"""A batch answers each item as it would be answered alone, and costs what its items would cost alone."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.account import Caller
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.api_key import digest
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.errors import IdempotencyKeyReused, QuotaExceeded
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.registry.answer import Answer
from brskills_server.registry.company import Company
from brskills_server.registry.errors import CompanyNotFound, InvalidCnpj, SourcesUnavailable
from brskills_server.registry.query import Freshness, Query
from brskills_server.registry.registry import parse_cnpj
from brskills_server.registry.sandbox import SANDBOX_NUMBERS, sandbox_answer
from brskills_server.skills.batch import BatchAnswer
from brskills_server.skills.cnpj.look_up_companies import LOOK_UP_COMPANIES
from brskills_server.skills.cnpj.look_up_company import LOOK_UP_COMPANY
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.perform import perform
from brskills_server.skills.pix import create_pix_codes as codes
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE
from brskills_server.skills.pix.create_pix_codes import CREATE_PIX_CODES
from brskills_server.skills.skill import Call, Skill
from brskills_server.web.body import MAX_BODY_BYTES, read_json
from brskills_server.web.openapi.models import batch_of
from brskills_server.web.problems import Problem, content_of, problem_of
from brskills_server.web.request import Request
from tests.conftest import DEMO_KEY, NOVEMBER, Clock
from tests.services.store import in_memory
from tests.simulator.companies import numbers

CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife"}
KNOWN, ABSENT, UNSURE, AWAY, BROKEN = (
    "11222333000181",
    "11222333000262",
    "11222333000343",
    "11222333000424",
    "11222333000505",
)
OUTCOMES: dict[str, Exception] = {
    ABSENT: CompanyNotFound(confirmed=True, data_base="2026-11-01"),
    UNSURE: CompanyNotFound(confirmed=False, data_base=None),
    AWAY: SourcesUnavailable(7),
    BROKEN: ZeroDivisionError(),
}


def find(query: Query) -> Answer:
    if query.cnpj in SANDBOX_NUMBERS:
        return sandbox_answer(query, int(NOVEMBER))
    if error := OUTCOMES.get(query.cnpj):
        raise error
    return Answer(json.dumps({"cnpj": query.cnpj}), int(NOVEMBER) - 60, int(NOVEMBER))


def find_all(queries: Sequence[Query]) -> list[Answer | Exception]:
    def outcome(query: Query) -> Answer | Exception:
        try:
            return find(query)
        except Exception as error:
            return error

    assert len({*queries}) == len(queries)
    return [outcome(query) for query in queries]


def to_problem(error: Exception) -> dict[str, Any]:
    return content_of(problem_of(error) or Problem("internal_error"), "r", "pt")


def received(body: Any, most: int = MAX_BODY_BYTES) -> dict[str, Any]:
    """What is read of a body; raises as a route does."""
    return read_json(Request({"httpMethod": "POST", "resource": "/", "body": json.dumps(body)}), most=most)


class Account:
    """A free account, used up but for ``left`` calls; its skills are called as the routes call them."""

    def __init__(self, left: int = 100) -> None:
        self.store, clock = in_memory(), Clock()
        accounts = Accounts(self.store, digest(DEMO_KEY), clock)
        self.ledger = Ledger(self.store, 20, clock)
        self.caller: Caller = accounts.identify(accounts.open("free").api_key)[0]
        if left < 100:
            self.ledger.reserve(self.caller, 100 - left)
        self._before = self.usage

    @property
    def usage(self) -> int:
        return self.ledger.usage(self.caller)[0].calls

    @property
    def counted(self) -> int:
        """Calls since the beginning."""
        return self.usage - self._before

    def call(self, key: str | None = None, find_companies: Callable[..., Any] = find_all) -> Call:
        return Call(Session(self.ledger, self.caller), "pt", find, find_companies, key, to_problem)

    def alone(self, skill: Skill, body: Any) -> tuple[int, Any]:
        """Status and body of a single route."""
        try:
            text = perform(skill, received(body), self.call(), skill.write)
        except Exception as error:
            problem = to_problem(error)
            return problem["status"], problem
        return 200, json.loads(text)

    def together(
        self, skill: Skill, body: dict[str, Any], call: Call | None = None, most: int = MAX_BODY_BYTES
    ) -> dict[str, Any]:
        """The body of a batch that is answered; raises what it is refused by."""
        answer: str = perform(skill, received(body, most), call or self.call(), skill.write)
        return dict(json.loads(answer))


def entries(answer: dict[str, Any]) -> list[tuple[int, Any]]:
    """Status and body of each item, whose members and places are as they should be."""
    for place, entry in enumerate(answer["resultados"]):
        member = "resposta" if entry["status"] == 200 else "problema"
        assert list(entry) == ["indice", "status", member]
        assert entry["indice"] == place
    return [
        (entry["status"], entry.get("resposta") or entry.get("problema")) for entry in answer["resultados"]
    ]


charges = st.sampled_from([
    CHARGE, {**CHARGE, "valor": "49.90", "cidade": "São Paulo"}, {**CHARGE, "valor": 1.005}, {"chave": "x"},
    {},
    {**CHARGE, "estrito": True, "cidade": "São Paulo"}, {**CHARGE, "foo": 1}, {**CHARGE, "url": "x.com/y"},
    {**CHARGE, "valor": None}, None, [], "x", 7, True, [CHARGE],
])  # fmt: skip


@given(st.lists(charges, min_size=1, max_size=12))
def test_each_charge_is_answered_and_counted_as_alone(items) -> None:
    one, many = Account(), Account()
    alone = [one.alone(CREATE_PIX_CODE, item) for item in items]
    answer = many.together(CREATE_PIX_CODES, {"itens": items})
    assert entries(answer) == alone
    assert answer["contadas"] == many.counted == one.counted == sum(status == 200 for status, _ in alone)


written = st.sampled_from([
    KNOWN, "11.222.333/0001-81", int(KNOWN), ABSENT, UNSURE, AWAY, int(AWAY), BROKEN, 191, "191", "", "x",
    None, 1.5,
    True, {}, [KNOWN], {"cnpj": KNOWN}, "SANDBOX1000170", "sandbox1000170", "SANDBOX4000103",
    "SANDBOX5000158",
    "33000167000102", "00.000.000/e08g-12", -1, 10**14,
])  # fmt: skip


@given(st.lists(written, min_size=1, max_size=12), st.sampled_from([{}, {"idade_maxima": 60}]))
def test_each_company_is_answered_as_alone_and_counted_once(items, demand) -> None:
    one, many = Account(), Account()
    alone: dict[str, tuple[int, Any]] = {}  # the same number once, in whatever form it comes
    for item in items:
        if canonical(item) not in alone:
            alone[canonical(item)] = one.alone(LOOK_UP_COMPANY, {"cnpj": item, **demand})
    answer = many.together(LOOK_UP_COMPANIES, {"cnpjs": items, **demand})
    assert entries(answer) == [alone[canonical(item)] for item in items]
    assert answer["contadas"] == many.counted == one.counted


def canonical(item: Any) -> str:
    """The number of an item; of what is not a number, how it is written."""
    try:
        return parse_cnpj(item) if isinstance(item, str | int) else repr(item)
    except InvalidCnpj:
        return repr(item)


def test_a_number_in_three_forms_is_looked_up_once_with_the_freshness_of_the_batch() -> None:
    asked: list[Query] = []

    def once(queries: Sequence[Query]) -> list[Any]:
        asked.extend(queries)
        return find_all(queries)

    account = Account()
    body = {
        "cnpjs": [KNOWN, int(KNOWN), "11.222.333/0001-81", ABSENT, ABSENT],
        "idade_maxima": 0,
        "idade_dados_maxima": 7,
    }
    answer = account.together(LOOK_UP_COMPANIES, body, account.call(find_companies=once))
    assert [status for status, _ in entries(answer)] == [200, 200, 200, 404, 404]
    assert asked == [Query(KNOWN, Freshness(0, 7)), Query(ABSENT, Freshness(0, 7))]
    assert (answer["contadas"], account.counted) == (2, 2)


def test_an_item_that_a_paid_source_was_asked_for_counts_whatever_it_answered() -> None:
    outcomes = [
        SourcesUnavailable(7, paid=True),
        SourcesUnavailable(7),
        CompanyNotFound(False, None, paid=True),
    ]
    account = Account()
    body = {"cnpjs": [KNOWN, ABSENT, UNSURE]}
    answer = account.together(LOOK_UP_COMPANIES, body, account.call(find_companies=lambda *_: outcomes))
    assert [status for status, _ in entries(answer)] == [503, 503, 404]
    assert (answer["contadas"], account.counted) == (2, 2)


ITEMS = {CREATE_PIX_CODES.name: ("itens", CHARGE), LOOK_UP_COMPANIES.name: ("cnpjs", KNOWN)}
both = pytest.mark.parametrize("skill", [CREATE_PIX_CODES, LOOK_UP_COMPANIES], ids=lambda skill: skill.name)


@both
@pytest.mark.parametrize(
    ("items", "code"),
    [
        ([], "invalid_length"), (101, "invalid_length"), (None, "required"), ("x", "invalid_type"),
        ({}, "invalid_type"), (7, "invalid_type"), (..., "required"),
    ],
)  # fmt: skip
def test_an_invalid_list_is_refused_with_all_other_issues(skill, items, code) -> None:
    field, item = ITEMS[skill.name]
    given = {} if items is ... else {field: [item] * items if items == 101 else items}
    account = Account()
    with pytest.raises(InvalidRequest) as refused:
        account.together(skill, {**given, "parcial": "sim", "foo": 1})
    found = {issue.field: issue.code for issue in refused.value.fields}
    assert found == {field: code, "parcial": "invalid_type", "foo": "unknown_field"}
    assert all(issue.detail(language) for issue in refused.value.fields for language in ("pt", "en"))
    assert account.counted == 0


@both
def test_a_hundred_are_as_many_as_may_be(skill) -> None:
    field, item = ITEMS[skill.name]
    account = Account()
    answer = account.together(skill, {field: [item] * 100})
    assert {status for status, _ in entries(answer)} == {200}
    assert len(answer["resultados"]) == 100
    assert answer["contadas"] == account.counted == (1 if field == "cnpjs" else 100)


@both
def test_a_batch_beyond_the_month_is_not_counted(skill) -> None:
    field, item = ITEMS[skill.name]
    account, others = Account(left=2), [ABSENT, UNSURE] if field == "cnpjs" else [CHARGE, CHARGE]
    for partial in ({}, {"parcial": False}, {"parcial": None}):
        with pytest.raises(QuotaExceeded) as refused:
            account.together(skill, {field: [item, *others], **partial})
        assert account.counted == 0
        detail = to_problem(refused.value)["detail"]
        assert "3" in detail
        assert "parcial" in detail
    # What cannot count needs no room.
    free = ["SANDBOX1000170", "x"] if field == "cnpjs" else [{}, 7]
    answer = account.together(skill, {field: [item, *others[:1], *free]})
    assert answer["contadas"] == account.counted == 2


@both
@pytest.mark.parametrize("left", [0, 1, 3, 4])
def test_a_partial_batch_answers_the_first_that_fit(skill, left) -> None:
    field, _ = ITEMS[skill.name]
    good = [KNOWN, ABSENT, "11222333000696"] if field == "cnpjs" else [CHARGE] * 3
    single = LOOK_UP_COMPANY if field == "cnpjs" else CREATE_PIX_CODE
    account, used_up = Account(left), Account(left=0)
    items = [good[0], "x", good[1], good[2]]
    answer = account.together(skill, {field: items, "parcial": True})
    assert answer["contadas"] == account.counted == min(left, 3)
    statuses = [status for status, _ in entries(answer)]
    fitting = [200, 404 if field == "cnpjs" else 200, 200][:left]
    assert [statuses[0], *statuses[2:]] == fitting + [429] * (3 - len(fitting))
    assert statuses[1] == 422
    if left < 3:
        alone = used_up.alone(single, {"cnpj": KNOWN} if field == "cnpjs" else CHARGE)
        assert entries(answer)[3] == alone


def test_the_sandbox_is_answered_though_the_month_is_used_up() -> None:
    account = Account(left=0)
    call = account.call()
    answer = account.together(LOOK_UP_COMPANIES, {"cnpjs": ["SANDBOX1000170", "SANDBOX4000103"]}, call)
    assert [status for status, _ in entries(answer)] == [200, 404]
    assert (answer["contadas"], account.counted, call.session.quota) == (0, 0, None)
    both_kinds = {"cnpjs": ["SANDBOX1000170", KNOWN], "parcial": True}
    assert [status for status, _ in entries(account.together(LOOK_UP_COMPANIES, both_kinds))] == [200, 429]


def test_absences_are_free_as_far_as_those_of_the_month_reach() -> None:
    def nowhere(queries: Sequence[Query]) -> list[Any]:
        return [CompanyNotFound(confirmed=False, data_base=None)] * len(queries)

    account = Account()
    body = {"cnpjs": numbers("99222333", 60)}
    answer = account.together(LOOK_UP_COMPANIES, body, account.call(find_companies=nowhere))
    details = [problem["detail"] for _, problem in entries(answer)]
    assert Counter(details).most_common() == [(details[0], 50), (details[50], 10)]
    assert answer["contadas"] == account.counted == 10


def test_an_unexpected_error_is_its_items_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(requested: Any, call: Call) -> Any:
        if requested.code.amount == "6.66":
            raise ZeroDivisionError
        return CREATE_PIX_CODE.answer(requested, call)

    monkeypatch.setattr(codes, "CREATE_PIX_CODE", replace(CREATE_PIX_CODE, answer=answer))
    account = Account()
    found = account.together(CREATE_PIX_CODES, {"itens": [CHARGE, {**CHARGE, "valor": "6.66"}, CHARGE]})
    assert [status for status, _ in entries(found)] == [200, 500, 200]
    assert found["resultados"][1]["problema"]["code"] == "internal_error"
    assert found["contadas"] == account.counted == 2


@pytest.mark.parametrize("ends_by", [ZeroDivisionError(), KeyboardInterrupt(), StoreUnavailable("gone")])
def test_an_error_of_the_whole_batch_releases_it(ends_by) -> None:
    def fail(queries: Sequence[Query]) -> list[Any]:
        raise ends_by

    account = Account()
    with pytest.raises(type(ends_by)):
        account.together(LOOK_UP_COMPANIES, {"cnpjs": [KNOWN, ABSENT]}, account.call(find_companies=fail))
    assert account.counted == 0


def test_a_batch_sent_again_costs_what_its_fullest_answer_costs() -> None:
    account, body = Account(), {"cnpjs": ["11222333000696", "11222333000777", KNOWN]}

    def send(*failing: str) -> tuple[dict[str, Any], Session]:
        def look(queries: Sequence[Query]) -> list[Any]:
            found = zip(queries, find_all(queries), strict=True)
            return [SourcesUnavailable(1) if query.cnpj in failing else one for query, one in found]

        call = account.call("pedido-1", look)
        return account.together(LOOK_UP_COMPANIES, body, call), call.session

    costs = []
    for failing in ([KNOWN, "11222333000696"], [KNOWN], [*body["cnpjs"]], [KNOWN, "11222333000777"], []):
        answer, session = send(*failing)
        costs.append((answer["contadas"], account.counted, session.replayed))
    assert costs == [(1, 1, False), (2, 2, True), (0, 2, True), (1, 2, True), (3, 3, True)]


def test_a_batch_whose_items_all_failed_leaves_its_key_free() -> None:
    account = Account()
    for cnpj in (AWAY, BROKEN, UNSURE, KNOWN):  # each another request under the same key
        call = account.call("a")
        assert account.together(LOOK_UP_COMPANIES, {"cnpjs": [cnpj]}, call)["contadas"] == (cnpj == KNOWN)
        assert not call.session.replayed
    with pytest.raises(IdempotencyKeyReused):
        account.together(LOOK_UP_COMPANIES, {"cnpjs": [AWAY]}, account.call("a"))
    assert account.counted == 1


def test_codes_sent_again_are_the_same_bytes_and_those_that_had_no_room_may_follow() -> None:
    account, body = Account(left=2), {"itens": [CHARGE, {**CHARGE, "valor": "1"}, CHARGE], "parcial": True}
    first = account.together(CREATE_PIX_CODES, body, account.call("a"))
    again = account.together(CREATE_PIX_CODES, body, account.call("a"))
    assert first == again
    assert (first["contadas"], account.counted) == (2, 2)
    account.store.set_limit(account.caller.account, 200)
    third = account.together(CREATE_PIX_CODES, body, account.call("a"))
    assert third["resultados"][:2] == first["resultados"][:2]
    assert (third["contadas"], account.counted) == (3, 3)


def test_each_item_is_recorded_as_a_call_and_the_counted_ones_are_the_months() -> None:
    account, used_up = Account(), Account(left=1)
    companies = {"cnpjs": [KNOWN, KNOWN, ABSENT, UNSURE, AWAY, BROKEN, "x", "SANDBOX1000170"]}
    codes = {"itens": [CHARGE, {}]}
    some = {"itens": [CHARGE, CHARGE], "parcial": True}
    for skill, body, payer, key, expected in (
        (LOOK_UP_COMPANIES, companies, account, None, {"counted": 2, "free": 3, "failed": 2, "refused": 1}),
        (CREATE_PIX_CODES, codes, account, "a", {"counted": 1, "refused": 1}),
        (CREATE_PIX_CODES, codes, account, "a", {"free": 1, "refused": 1}),
        (CREATE_PIX_CODES, some, used_up, None, {"counted": 1, "refused": 1}),
    ):
        call = payer.call(key)
        payer.together(skill, body, call)
        assert Counter(call.outcome.items) == expected
        assert call.session.items == sum(expected.values())  # what the allowance takes for uncounted ones
    assert (account.counted, used_up.counted) == (3, 1)


def test_an_answer_fits_the_documented_model() -> None:
    account = Account()
    body = {"cnpjs": ["SANDBOX1000170", "x", ABSENT]}
    answer = perform(LOOK_UP_COMPANIES, body, account.call(), lambda found: found)
    assert isinstance(answer, BatchAnswer)
    assert batch_of(Company).model_validate_json(LOOK_UP_COMPANIES.write(answer), strict=True)
