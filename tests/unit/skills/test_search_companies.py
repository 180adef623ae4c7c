"""A search's answers: rows, pages, what counts, and what is said where there is nothing to say."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.plans import PLANS
from brskills_server.metering.errors import QuotaExceeded, UncountedLimit
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.registry.sandbox import sandbox_records
from brskills_server.registry.search.cursor import Cursor, write_cursor
from brskills_server.registry.search.register_search import TooMuchWork
from brskills_server.registry.snapshot.rows import FIELD_SEPARATOR, Edition
from brskills_server.registry.store import StoreFault
from brskills_server.skills.cnpj.search_companies import SEARCH_COMPANIES
from brskills_server.skills.cnpj.search_request import read_search
from brskills_server.skills.errors import ApiError, InvalidRequest, classify
from brskills_server.skills.perform import perform
from brskills_server.skills.skill import Call
from brskills_server.web.problems import problem_of
from tests.fakes.register_search import DAY, FakeSearch, invented, rows_of_all
from tests.for_each import for_each

RECORDS = invented(seed=11, count=300)
ROWS = rows_of_all(RECORDS)
EDITION, LATER = Edition(DAY, id="a1"), Edition(date(2026, 10, 10), id="b2")
EVERYWHERE = {"nome": "ltda"}
SANDBOX = {"nome": "SANDBOX"}

Search = Callable[..., dict[str, Any]]


@pytest.fixture
def session(accounts: Accounts, ledger: Ledger) -> Session:
    return Session(ledger, accounts.identify(accounts.open("pro").api_key)[0])


@pytest.fixture
def register() -> FakeSearch:
    return FakeSearch(ROWS, EDITION)


@pytest.fixture
def search(session: Session, ledger: Ledger, register: FakeSearch) -> Search:
    def run(**content: Any) -> dict[str, Any]:
        call = Call(Session(ledger, session.caller), "pt", AssertionError, search=register)
        return dict(perform(SEARCH_COMPANIES, content, call, SEARCH_COMPANIES.content))

    return run


@pytest.fixture
def counted(session: Session, ledger: Ledger) -> Callable[[], int]:
    return lambda: ledger.usage(session.caller)[0].calls


def error(search: Search, **content: Any) -> ApiError:
    with pytest.raises(ApiError) as caught:
        search(**content)
    return caught.value


def row_of(record: dict[str, Any]) -> dict[str, Any]:
    address = record["endereco"]
    return {
        **{name: record[name] for name in ("cnpj", "matriz", "razao_social", "nome_fantasia")},
        "situacao_cadastral": record["situacao_cadastral"],
        "uf": address["uf"],
        "municipio": address["municipio"],
        "cnae_principal": record["cnae_principal"],
        "data_inicio_atividade": record["data_inicio_atividade"],
    }


def pages(search: Search, **content: Any) -> list[dict[str, Any]]:
    found = [search(**content)]
    while cursor := found[-1]["cursor"]:
        found.append(search(**content, cursor=cursor))
    return found


@pytest.mark.parametrize("limit", [1, 7, 100])
def test_all_pages_have_each_company_once_in_the_order_of_the_numbers(search: Search, limit: int) -> None:
    expected = [
        row_of(record)
        for record in RECORDS
        if record["situacao_cadastral"]["codigo"] == "02"
        and re.search(r"\bLTDA", f"{record['razao_social']} {record['nome_fantasia']}")
    ]
    assert len(expected) > 50
    found = pages(search, **EVERYWHERE, limite=limit)
    assert [row for page in found for row in page["empresas"]] == expected
    assert all(len(page["empresas"]) == limit for page in found[:-1])
    assert {(page["total"], page["total_exato"], page["data_base"]) for page in found} == {
        (len(expected), True, DAY.isoformat())
    }


def test_it_is_written_as_its_model_writes_it(search: Search) -> None:
    for content in (SANDBOX, {**EVERYWHERE, "limite": 5}, {"nome": "ninguem nenhum"}):
        answer = search(**content)
        model = SEARCH_COMPANIES.result_model.model_validate_json(json.dumps(answer))
        assert SEARCH_COMPANIES.write(answer) == model.model_dump_json()


def test_a_row_says_nothing_of_people(search: Search) -> None:
    with_partners = [record for record in RECORDS if record["socios"]]
    assert with_partners
    for record in with_partners:
        answer = json.dumps(search(raiz=record["cnpj"][:8]), ensure_ascii=False)
        kept = json.dumps(row_of(record), ensure_ascii=False)
        hidden = [
            *(each["nome"] for each in record["socios"]),
            record["email"] or "@",
            record["endereco"]["cep"],
        ]
        assert not [text for text in hidden if text in answer and text not in kept]


def test_a_cpf_in_a_name_is_hidden(search: Search, register: FakeSearch) -> None:
    record = next(record for record in RECORDS if record["razao_social"].startswith("CONSULTORIA"))
    named = record | {"razao_social": "JOANA DE EXEMPLO 111.444.777-35", "nome_fantasia": "BAR 11144477735"}
    register.replace(rows_of_all([named]), EDITION, keep=False)
    (row,) = search(raiz=named["cnpj"][:8])["empresas"]
    assert (row["razao_social"], row["nome_fantasia"]) == ("JOANA DE EXEMPLO ***444777**", "BAR ***444777**")


def test_a_page_counts_a_call_also_an_empty_one(search: Search, counted: Callable[[], int]) -> None:
    found = pages(search, **EVERYWHERE, limite=50)
    assert counted() == len(found) > 1
    assert search(raiz="99999999")["empresas"] == []
    assert counted() == len(found) + 1


def test_words_that_are_near_are_proposed_where_a_name_finds_nothing(
    search: Search, register: FakeSearch
) -> None:
    nothing = search(nome=["zzzz yyyy", "zzzz xxxx"])
    assert (nothing["total"], nothing["cursor"]) == (0, None)
    assert nothing["sugestoes"] == ["XXXXX", "ZZZZX", "YYYYX"]
    many = " ".join(f"zz{number}" for number in range(30))
    assert search(nome=many)["sugestoes"] == ["ZZ0X", "ZZ1X", "ZZ10X", "ZZ11X", "ZZ12X"]
    assert register.asked == 10
    assert search(nome="ltda")["sugestoes"] == search(raiz="99999999")["sugestoes"] == []


def test_a_total_that_is_too_great_is_not_exact(search: Search, register: FakeSearch) -> None:
    register.most_counted = 10
    assert {(page["total"], page["total_exato"]) for page in pages(search, **EVERYWHERE)} == {(10, False)}


def test_a_limit_may_change_on_the_way(search: Search) -> None:
    numbers = [row["cnpj"] for page in pages(search, **EVERYWHERE) for row in page["empresas"]]
    first = search(**EVERYWHERE, limite=3)
    second = search(**EVERYWHERE, limite=40, cursor=first["cursor"])
    assert [row["cnpj"] for row in first["empresas"] + second["empresas"]] == numbers[:43]


def test_a_month_that_is_kept_is_paged_to_its_end(search: Search, register: FakeSearch) -> None:
    expected = pages(search, **EVERYWHERE, limite=20)
    register.replace({}, LATER, keep=True)
    first = expected[0]
    rest = search(**EVERYWHERE, limite=20, cursor=first["cursor"])
    assert rest == expected[1]
    assert search(**EVERYWHERE)["empresas"] == []


def test_a_cursor_of_a_month_that_is_gone_has_expired(
    search: Search, register: FakeSearch, counted: Callable[[], int]
) -> None:
    cursor = search(**EVERYWHERE)["cursor"]
    register.replace(ROWS, LATER, keep=False)
    expired = error(search, **EVERYWHERE, cursor=cursor)
    problem = problem_of(expired)
    assert problem
    assert (problem.code, problem.status, classify(expired)) == ("cursor_expired", 410, "refused")
    assert counted() == 1


def test_a_cursor_of_another_installation_has_expired(search: Search) -> None:
    criteria = read_search(EVERYWHERE).criteria
    elsewhere = write_cursor(Cursor(RECORDS[5]["cnpj"], "of-another-build"), criteria)
    assert error(search, **EVERYWHERE, cursor=elsewhere).code == "cursor_expired"


def test_a_cursor_of_another_search_is_invalid(search: Search, counted: Callable[[], int]) -> None:
    cursor = search(**EVERYWHERE)["cursor"]
    with pytest.raises(InvalidRequest) as caught:
        search(**EVERYWHERE, matriz=True, cursor=cursor)
    assert [(found.field, found.code) for found in caught.value.fields] == [("cursor", "invalid_cursor")]
    assert counted() == 1


@pytest.mark.parametrize("missing", ["search", "month"])
def test_without_a_copy_nothing_has_failed_and_nothing_is_counted(
    session: Session, register: FakeSearch, counted: Callable[[], int], missing: str
) -> None:
    register.months = []
    call = Call(session, "pt", AssertionError, search=register if missing == "month" else None)
    with pytest.raises(ApiError) as caught:
        perform(SEARCH_COMPANIES, EVERYWHERE, call, SEARCH_COMPANIES.write)
    assert (caught.value.code, caught.value.retry_after) == ("copy_unavailable", 3600)
    assert (classify(caught.value), counted()) == ("answered", 0)


@pytest.mark.parametrize("failure", [StoreFault("away"), ValueError("a damaged row")])
def test_a_copy_that_fails_is_a_failure_and_nothing_is_counted(
    search: Search, register: FakeSearch, counted: Callable[[], int], failure: Exception
) -> None:
    register.failure = failure
    failed = error(search, **EVERYWHERE)
    problem = problem_of(failed)
    assert problem
    assert (problem.code, problem.status, problem.headers["Retry-After"]) == ("copy_unavailable", 503, "5")
    assert (classify(failed), counted()) == ("failed", 0)


@pytest.mark.parametrize(
    ("content", "fields", "code"),
    [
        (EVERYWHERE, "nome", "too_many_words"),
        ({"nome": ["ltda", "me"], "cnae": "6201501"}, "nome", "too_many_words"),
        ({"cnae": "6201501", "uf": "SP"}, "nome raiz cnae_principal municipio cep socio_cnpj", "too_broad"),
    ],
)
def test_a_search_that_is_too_much_work_is_refused_and_is_no_failure(
    search: Search, register: FakeSearch, counted: Callable[[], int], content: Any, fields: str, code: str
) -> None:
    register.failure = TooMuchWork()
    refused = error(search, **content)
    problem = problem_of(refused)
    assert problem
    assert (problem.code, problem.status) == ("invalid_fields", 422)
    assert [(each.field, each.code) for each in refused.fields] == [(field, code) for field in fields.split()]
    assert (classify(refused), counted()) == ("refused", 0)


def test_searches_that_are_too_much_work_use_the_allowance_up(
    session: Session, ledger: Ledger, register: FakeSearch
) -> None:
    register.failure = TooMuchWork()
    for refusal in [InvalidRequest] * (PLANS["pro"].uncounted_a_minute // 191 + 1) + [UncountedLimit]:
        own = Session(ledger, session.caller)
        call = Call(own, "pt", AssertionError, search=register)
        with pytest.raises(refusal):
            perform(SEARCH_COMPANIES, EVERYWHERE, call, dict)
        if refusal is InvalidRequest:
            own.take_allowance(0)


@pytest.mark.parametrize("failure", [StoreFault("away"), TooMuchWork()])
def test_a_page_is_answered_without_words_that_are_near_if_need_be(
    search: Search, register: FakeSearch, failure: Exception
) -> None:
    register.near_failure = failure
    answer = search(nome="ninguem nenhum")
    assert (answer["total"], answer["sugestoes"]) == (0, [])


def test_rows_that_are_damaged_are_a_failure(search: Search, register: FakeSearch) -> None:
    number = RECORDS[0]["cnpj"]
    fields = ROWS[number].split(FIELD_SEPARATOR)
    register.replace({**ROWS, number: FIELD_SEPARATOR.join(fields[1:])}, EDITION, keep=False)
    assert error(search, raiz=number[:8]).code == "copy_unavailable"


def test_sandbox_companies_are_found_uncounted_and_without_a_copy(
    session: Session, counted: Callable[[], int]
) -> None:
    def run(**content: Any) -> Any:
        call = Call(session, "pt", AssertionError)
        return perform(SEARCH_COMPANIES, content, call, SEARCH_COMPANIES.content)

    active = [record for record in sandbox_records() if record["situacao_cadastral"]["codigo"] == "02"]
    answer = run(nome=" Sandbox ")
    assert answer["empresas"] == [row_of(record) for record in active]
    assert run(nome="sandbox", situacao="todas")["total"] == len(active) + 1
    assert {key: answer[key] for key in ("total", "total_exato", "cursor", "data_base", "sugestoes")} == {
        "total": 3, "total_exato": True, "cursor": None, "data_base": "2026-10-15", "sugestoes": [],
    }  # fmt: skip
    paged = pages(run, **SANDBOX, limite=2)
    assert [row for page in paged for row in page["empresas"]] == answer["empresas"]
    assert len(paged) == 2
    assert run(nome="sandbox", uf="RJ")["empresas"] == []
    assert (session.quota, counted()) == (None, 0)


@for_each(
    ("content", "found"),
    [
        ({"situacao": "baixada"}, "2"),
        ({"situacao": "ativa"}, "136"),
        ({"raiz": "SANDBOX3"}, "3"),
        ({"cnae": "6204000"}, "16"),
        ({"cnae_principal": "6201501"}, "16"),
        ({"municipio": "3550308", "cep": "01001", "uf": "SP", "situacao": "todas"}, "1236"),
        ({"natureza_juridica": "2135"}, "3"),
        ({"porte": ["01"]}, "3"),
        ({"aberta_de": "2019-03-11", "aberta_ate": "2019-03-11"}, "136"),
        ({"aberta_de": "2019-03-12"}, ""),
        ({"aberta_ate": "2019-03-10"}, ""),
        ({"matriz": False}, ""),
        ({"mei": True}, "3"),
        ({"simples": False, "situacao": ["ativa", "baixada"]}, "126"),
        ({"socio_cnpj": "SANDBOX2000114"}, "1"),
    ],
)
def test_the_other_fields_hold_for_sandbox_companies_too(content: dict[str, Any], found: str) -> None:
    answer = SEARCH_COMPANIES.answer(read_search({**SANDBOX, **content}), None)  # type: ignore[arg-type]
    assert "".join(row["cnpj"][7] for row in answer["empresas"]) == found


def test_a_name_with_more_than_sandbox_is_searched_for(search: Search, counted: Callable[[], int]) -> None:
    assert search(nome="SANDBOX LTDA")["empresas"] == []
    assert search(nome=["SANDBOX", "padaria"])["data_base"] == DAY.isoformat()
    assert counted() == 2


def test_an_exhausted_quota_is_refused_before_the_register_is_read(
    accounts: Accounts, ledger: Ledger, register: FakeSearch
) -> None:
    register.failure = AssertionError("it was read")
    caller = accounts.identify(accounts.open("free").api_key)[0]
    Session(ledger, caller).reserve(100)
    call = Call(Session(ledger, caller), "pt", AssertionError, search=register)
    with pytest.raises(QuotaExceeded):
        perform(SEARCH_COMPANIES, EVERYWHERE, call, SEARCH_COMPANIES.write)
