"""GET and POST /skills/cnpj."""

from __future__ import annotations

from datetime import date, timedelta

import httpx
import pytest

from tests.e2e.conftest import Service, calls, failing, new_key

CNPJ = "/api/v1/skills/cnpj"
PETROBRAS = "33000167000101"


@pytest.mark.parametrize(
    ("cnpj", "status", "code"),
    [
        ("SANDBOX1000170", 200, None),
        ("SANDBOX2000114", 200, None),
        ("SANDBOX3000169", 200, None),
        ("SANDBOX4000103", 404, "company_not_found"),
        ("SANDBOX5000158", 503, "sources_unavailable"),
        ("SANDBOX6000100", 200, None),
    ],
)
def test_the_sandbox_answers_alike_everywhere_and_counts_nothing(
    api: httpx.Client, cnpj: str, status: int, code: str | None
) -> None:
    before = calls(api)
    for answer in (api.get(f"{CNPJ}/{cnpj}"), api.post(CNPJ, json={"cnpj": cnpj.lower()})):
        assert answer.status_code == status
        body = answer.json()
        assert body.get("code") == code
        if status == 200:
            assert (body["cnpj"], body["fonte"]) == (cnpj, "sandbox")
            assert body["desatualizado"] == (cnpj == "SANDBOX6000100")
        if status == 404:
            assert (body["confirmado"], "data_base" in body) == (True, True)
        if status == 503:
            assert int(answer.headers["retry-after"]) >= 1
    assert calls(api) == before


@pytest.mark.parametrize(
    "path",
    ["33.000.167/0001-01", "33.000.167%2F0001-01", "33000167000101", "00.000.000/e08g-12", "00000000e08g12"],
)
def test_a_company_by_any_writing_of_its_number(api: httpx.Client, simulated: Service, path: str) -> None:
    answer = api.get(f"{CNPJ}/{path}")
    assert answer.status_code == 200
    body = answer.json()
    assert body["cnpj"] == (PETROBRAS if "33" in path else "00000000E08G12")
    assert {
        "razao_social",
        "situacao_cadastral",
        "endereco",
        "socios",
        "capital_social",
        "fonte",
        "data_base",
    } <= body.keys()
    assert {"consultado_em", "idade_segundos", "desatualizado", "capital_social_precisao"} <= body.keys()


def test_an_integer_is_padded_and_a_string_never(api: httpx.Client, simulated: Service) -> None:
    assert api.post(CNPJ, json={"cnpj": 191}).json()["cnpj"] == "00000000000191"
    assert api.post(CNPJ, json={"cnpj": "191"}).json()["errors"][0]["code"] == "invalid_cnpj"


@pytest.mark.parametrize(
    ("cnpj", "code"),
    [
        ("33000167000102", "invalid_check_digits"),
        ("330001670001", "invalid_cnpj"),
        ("٣٣٠٠٠١٦٧٠٠٠١٠١", "invalid_cnpj"),
        ("x" * 300, "invalid_cnpj"),
        ("33.000.167/0001-01/extra", "invalid_cnpj"),
    ],
)
def test_a_number_that_is_none_is_refused_and_not_counted(api: httpx.Client, cnpj: str, code: str) -> None:
    before = calls(api)
    for answer in (api.get(f"{CNPJ}/{cnpj}"), api.post(CNPJ, json={"cnpj": cnpj})):
        assert answer.status_code == 422
        assert [(error["campo"], error["code"]) for error in answer.json()["errors"]] == [("cnpj", code)]
    assert calls(api) == before


def test_an_etag_saves_the_body_and_counts_like_it(api: httpx.Client, simulated: Service) -> None:
    first = api.get(f"{CNPJ}/{PETROBRAS}")
    assert first.headers["etag"].startswith('W/"')
    assert first.headers["cache-control"] == "private, no-cache"
    before = calls(api)
    again = api.get(f"{CNPJ}/{PETROBRAS}", headers={"If-None-Match": f'"other", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert "x-ratelimit-remaining" in again.headers
    assert calls(api) == before + 1
    assert api.get(f"{CNPJ}/{PETROBRAS}", headers={"If-None-Match": '"other"'}).status_code == 200


def test_an_absence_that_a_fresh_source_confirms_counts(api: httpx.Client, simulated: Service) -> None:
    before = calls(api)
    answer = api.get(f"{CNPJ}/99000000000159")
    assert (answer.status_code, answer.json()["code"]) == (404, "company_not_found")
    assert (answer.json()["confirmado"], "data_base" in answer.json()) == (True, True)
    assert "x-ratelimit-remaining" in answer.headers
    assert calls(api) == before + 1


def test_an_absence_that_only_dumps_report_is_unconfirmed_and_free(
    api: httpx.Client, simulated: Service
) -> None:
    before = calls(api)
    with failing(simulated, "cnpja"):
        answer = api.get(f"{CNPJ}/99000000000230")
    assert (answer.status_code, answer.json()["code"]) == (404, "company_not_found")
    assert answer.json()["confirmado"] is False
    assert "x-ratelimit-remaining" not in answer.headers
    assert calls(api) == before


def test_fifty_unconfirmed_absences_a_month_are_free_and_the_next_ones_count(
    http: httpx.Client, simulated: Service
) -> None:
    mine = {"X-API-Key": new_key(http)}
    with failing(simulated, "cnpja"):
        answers = [http.get(f"{CNPJ}/99000000000310", headers=mine) for _ in range(52)]
    assert {(answer.status_code, answer.json()["confirmado"]) for answer in answers} == {(404, False)}
    remaining = [answer.headers.get("x-ratelimit-remaining") for answer in answers]
    assert remaining == [None] * 50 + ["99", "98"]
    assert answers[49].json()["detail"] != answers[50].json()["detail"]
    assert http.get("/api/v1/usage", headers=mine).json()["chamadas"] == 2


def test_a_demand_for_freshness_is_met_or_refused(api: httpx.Client) -> None:
    stale = f"{CNPJ}/SANDBOX6000100"
    assert api.get(stale).json()["desatualizado"]
    for answer in (
        api.get(stale, params={"idade_maxima": 60}),
        api.post(CNPJ, json={"cnpj": "SANDBOX6000100", "idade_maxima": 60}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "sources_unavailable")
    assert api.get(f"{CNPJ}/SANDBOX1000170", params={"idade_maxima": 0}).status_code == 200


def age_of(answer: httpx.Response) -> int:
    """The days since an answer's data; a day may begin during the test, so an older one is within it too."""
    age: timedelta = date.today() - date.fromisoformat(answer.json()["data_base"])
    return age.days + 1


def test_a_demand_on_the_data_is_met_or_refused(api: httpx.Client) -> None:
    company = f"{CNPJ}/SANDBOX1000170"
    age = age_of(api.get(company))
    assert api.get(company, params={"idade_dados_maxima": age}).status_code == 200
    for answer in (
        api.get(company, params={"idade_dados_maxima": 0}),
        api.post(CNPJ, json={"cnpj": "SANDBOX1000170", "idade_dados_maxima": 0}),
        api.get(company, params={"idade_maxima": 60, "idade_dados_maxima": 0}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "sources_unavailable")


def test_older_data_asks_a_fresher_source(api: httpx.Client, simulated: Service) -> None:
    number = "11222333000696"
    first = api.get(f"{CNPJ}/{number}")
    assert (first.json()["fonte"], first.json()["inscricoes_estaduais"]) == ("opencnpj", None)
    assert api.get(f"{CNPJ}/{number}?idade_dados_maxima={age_of(first)}").json()["fonte"] == "opencnpj"
    second = api.get(f"{CNPJ}/{number}?idade_dados_maxima={age_of(first) - 3}")
    assert (second.status_code, second.json()["fonte"]) == (200, "cnpja")
    assert second.json()["data_base"] > first.json()["data_base"]
    assert [row["uf"] for row in second.json()["inscricoes_estaduais"]] == ["SP"]


def test_all_faults_of_a_look_up_are_named_at_once(api: httpx.Client) -> None:
    by_body = api.post(CNPJ, json={"cnpj": "x", "idade_maxima": -1, "idade_dados_maxima": -1, "foo": 1})
    by_path = api.get(f"{CNPJ}/x?idade_maxima=-1&idade_dados_maxima=-1&foo=1")
    for answer in (by_body, by_path):
        found = {error["campo"]: error["code"] for error in answer.json()["errors"]}
        assert found == {
            "cnpj": "invalid_cnpj",
            "idade_maxima": "out_of_range",
            "idade_dados_maxima": "out_of_range",
            "foo": "unknown_field",
        }


@pytest.mark.parametrize(
    "query",
    [
        *(f"{name}={value}" for name in ("idade_maxima", "idade_dados_maxima") for value in ("-1", "x", "")),
        "idade_maxima=1&idade_maxima=2",
        "idade_dados_maxima=1.5",
        "idade=1",
    ],
)
def test_a_faulty_query_is_named(api: httpx.Client, query: str) -> None:
    answer = api.get(f"{CNPJ}/SANDBOX1000170?{query}")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["campo"] == query.split("=")[0]


def test_when_every_source_fails_nothing_is_counted(api: httpx.Client, simulated: Service) -> None:
    before = calls(api)
    with failing(simulated, "opencnpj", "brasilapi", "cnpja"):
        answer = api.get(f"{CNPJ}/00038166000105")
    assert (answer.status_code, answer.json()["code"]) == (503, "sources_unavailable")
    assert int(answer.headers["retry-after"]) >= 1
    assert calls(api) == before
