"""GET and POST /skills/cnpj/historico, and the tool."""

import httpx
import pytest

from tests.e2e.conftest import CNPJ, Service, counting, problem, use_tool

HISTORY = f"{CNPJ}/historico"
KNOWN = ["SANDBOX1000170", "SANDBOX2000114", "SANDBOX3000169", "SANDBOX6000100"]


@pytest.mark.parametrize("cnpj", KNOWN)
def test_the_sandbox_answers_alike_everywhere_and_counts_nothing(api: httpx.Client, cnpj: str) -> None:
    with counting(api, 0):
        answers = [api.get(f"{HISTORY}/{cnpj}"), api.post(HISTORY, json={"cnpj": cnpj.lower()})]
        tool = use_tool(api, "company_history", {"cnpj": cnpj})
    body = answers[0].json()
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[1].json() == tool["structuredContent"] == body
    assert (body["cnpj"], body["desde"] < body["data_base"]) == (cnpj, True)
    assert all(set(change) == {"data_base", "campo", "de", "para"} for change in body["mudancas"])


def test_a_company_that_closed_says_so(api: httpx.Client) -> None:
    (change,) = (
        change
        for change in api.get(f"{HISTORY}/SANDBOX2000114").json()["mudancas"]
        if change["campo"] == "situacao_cadastral"
    )
    assert (change["de"]["codigo"], change["para"]["codigo"]) == ("02", "08")


def test_what_is_not_answered_counts_nothing(api: httpx.Client) -> None:
    with counting(api, 0):
        absent = problem(api.get(f"{HISTORY}/SANDBOX4000103"), 404, "company_not_found")
        assert (absent["confirmado"], "data_base" in absent) == (False, True)
        assert "retry-after" in api.get(f"{HISTORY}/SANDBOX5000158").headers
        problem(api.post(HISTORY, json={}), 422, "invalid_fields")
        problem(api.get(HISTORY), 404, "not_found")


def test_without_a_copy_there_is_no_history(api: httpx.Client, simulated: Service) -> None:
    with counting(api, 0):
        answer = api.post(HISTORY, json={"cnpj": "33000167000101"})
    problem(answer, 503, "copy_unavailable")
    assert "x-ratelimit-remaining" not in answer.headers
