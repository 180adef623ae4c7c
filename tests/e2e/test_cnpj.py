"""GET and POST /skills/cnpj."""

from datetime import date

import httpx
import pytest

from tests.e2e.conftest import CNPJ, Service, calls, counting, failing, problem

PETROBRAS = "33000167000101"
MEMBERS = {
    "razao_social", "situacao_cadastral", "endereco", "socios", "capital_social", "capital_social_precisao",
    "fonte", "data_base", "consultado_em", "idade_segundos", "desatualizado",
}  # fmt: skip


@pytest.mark.parametrize(
    ("cnpj", "status", "code"),
    [
        ("SANDBOX1000170", 200, None),
        ("SANDBOX2000114", 200, None),
        ("SANDBOX4000103", 404, "company_not_found"),
        ("SANDBOX5000158", 503, "sources_unavailable"),
        ("SANDBOX6000100", 200, None),
    ],
)
def test_the_sandbox_answers_alike_everywhere_and_counts_nothing(
    api: httpx.Client, cnpj: str, status: int, code: str | None
) -> None:
    with counting(api, 0):
        answers = [api.get(f"{CNPJ}/{cnpj}"), api.post(CNPJ, json={"cnpj": cnpj.lower()})]
    for answer in answers:
        body = answer.json()
        assert (answer.status_code, body.get("code")) == (status, code)
        if status == 200:
            assert (body["cnpj"], body["fonte"]) == (cnpj, "sandbox")
            assert body["desatualizado"] == (cnpj == "SANDBOX6000100")
        if status == 404:
            assert (body["confirmado"], "data_base" in body) == (True, True)
        if status == 503:
            assert int(answer.headers["retry-after"]) >= 1


@pytest.mark.parametrize(
    "path", ["33.000.167/0001-01", "33.000.167%2F0001-01", "33000167000101", "00000000e08g12"]
)
def test_a_company_by_any_writing_of_its_number(api: httpx.Client, simulated: Service, path: str) -> None:
    body = api.get(f"{CNPJ}/{path}").raise_for_status().json()
    assert body["cnpj"] == (PETROBRAS if "33" in path else "00000000E08G12")
    assert body.keys() >= MEMBERS


def test_an_integer_is_padded_and_a_string_never(api: httpx.Client, simulated: Service) -> None:
    assert api.post(CNPJ, json={"cnpj": 191}).json()["cnpj"] == "00000000000191"
    assert api.post(CNPJ, json={"cnpj": "191"}).json()["errors"][0]["code"] == "invalid_cnpj"


def test_an_invalid_number_is_refused_and_not_counted(api: httpx.Client) -> None:
    with counting(api, 0):
        for cnpj, code in (
            ("33000167000102", "invalid_check_digits"),
            ("٣٣٠٠٠١٦٧٠٠٠١٠١", "invalid_cnpj"),
            ("x" * 300, "invalid_cnpj"),
            ("33.000.167/0001-01/extra", "invalid_cnpj"),
        ):
            for answer in (api.get(f"{CNPJ}/{cnpj}"), api.post(CNPJ, json={"cnpj": cnpj})):
                errors = problem(answer, 422, "invalid_fields")["errors"]
                assert [(error["campo"], error["code"]) for error in errors] == [("cnpj", code)]


def test_an_etag_saves_the_body_and_counts_like_it(api: httpx.Client, simulated: Service) -> None:
    first = api.get(f"{CNPJ}/{PETROBRAS}")
    assert first.headers["etag"].startswith('W/"')
    assert first.headers["cache-control"] == "private, no-cache"
    with counting(api, 1):
        known = {"If-None-Match": f'"other", {first.headers["etag"]}'}
        again = api.get(f"{CNPJ}/{PETROBRAS}", headers=known)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert "x-ratelimit-remaining" in again.headers
    assert api.get(f"{CNPJ}/{PETROBRAS}", headers={"If-None-Match": '"other"'}).status_code == 200


def test_an_absence_counts_only_if_a_fresh_source_confirms_it(api: httpx.Client, simulated: Service) -> None:
    with counting(api, 1):
        answer = api.get(f"{CNPJ}/99000000000159")
    body = problem(answer, 404, "company_not_found")
    assert (body["confirmado"], "data_base" in body) == (True, True)
    assert "x-ratelimit-remaining" in answer.headers
    with counting(api, 0), failing(simulated, "cnpja"):
        answer = api.get(f"{CNPJ}/99000000000230")
    assert problem(answer, 404, "company_not_found")["confirmado"] is False
    assert "x-ratelimit-remaining" not in answer.headers


def test_fifty_unconfirmed_absences_a_month_are_free_and_the_next_ones_count(
    fresh: httpx.Client, simulated: Service
) -> None:
    with failing(simulated, "cnpja"):
        answers = [fresh.get(f"{CNPJ}/99000000000310") for _ in range(52)]
    assert {(answer.status_code, answer.json()["confirmado"]) for answer in answers} == {(404, False)}
    remaining = [answer.headers.get("x-ratelimit-remaining") for answer in answers]
    assert remaining == [None] * 50 + ["99", "98"]
    assert answers[49].json()["detail"] != answers[50].json()["detail"]
    assert calls(fresh) == 2


def age_of(answer: httpx.Response) -> int:
    """Return the days since an answer's data, and one more, for a day may begin during the test."""
    age = date.today() - date.fromisoformat(answer.json()["data_base"])
    return age.days + 1


def test_a_demand_for_freshness_is_met_or_refused(api: httpx.Client) -> None:
    stale, company = f"{CNPJ}/SANDBOX6000100", f"{CNPJ}/SANDBOX1000170"
    assert api.get(stale).json()["desatualizado"]
    assert api.get(company, params={"idade_maxima": 0}).status_code == 200
    age = age_of(api.get(company))
    assert api.get(company, params={"idade_dados_maxima": age}).status_code == 200
    for answer in (
        api.get(stale, params={"idade_maxima": 60}),
        api.post(CNPJ, json={"cnpj": "SANDBOX6000100", "idade_maxima": 60}),
        api.get(company, params={"idade_dados_maxima": 0}),
        api.post(CNPJ, json={"cnpj": "SANDBOX1000170", "idade_dados_maxima": 0}),
    ):
        problem(answer, 503, "sources_unavailable")
        assert "idade_maxima" in answer.json()["detail"]  # what to change: repeating alone does not help


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
        ages = dict.fromkeys(("idade_maxima", "idade_dados_maxima"), "out_of_range")
        assert found == {"cnpj": "invalid_cnpj", **ages, "foo": "unknown_field"}
    for query in ("idade_maxima=x", "idade_maxima=1&idade_maxima=2", "idade_dados_maxima=1.5", "idade=1"):
        answer = api.get(f"{CNPJ}/SANDBOX1000170?{query}")
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["campo"] == query.split("=")[0]


def test_when_every_source_fails_nothing_is_counted(api: httpx.Client, simulated: Service) -> None:
    with counting(api, 0), failing(simulated):
        answer = api.get(f"{CNPJ}/00038166000105")
    problem(answer, 503, "sources_unavailable")
    assert int(answer.headers["retry-after"]) >= 1
