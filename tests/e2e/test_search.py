"""GET and POST /skills/cnpj/busca, where there may be no copy of the register."""

import httpx
import pytest

from tests.e2e.conftest import CNPJ, counting, problem

SEARCH = f"{CNPJ}/busca"
NUMBERS = ["SANDBOX1000170", "SANDBOX3000169", "SANDBOX6000100"]
CLOSED = "SANDBOX2000114"
MEMBERS = {
    "cnpj", "matriz", "razao_social", "nome_fantasia", "situacao_cadastral", "uf", "municipio",
    "cnae_principal", "data_inicio_atividade",
}  # fmt: skip


def test_sandbox_companies_are_found_alike_everywhere_and_count_nothing(api: httpx.Client) -> None:
    with counting(api, 0):
        answers = [
            api.get(SEARCH, params={"nome": "sandbox", "uf": "SP,RJ"}),
            api.get(SEARCH, params=[("nome", "SANDBOX"), ("uf", "RJ"), ("uf", "SP")]),
            api.post(SEARCH, json={"nome": ["Sandbox"], "uf": ["RJ", "SP"]}),
        ]
        every = api.get(SEARCH, params={"nome": "SANDBOX", "situacao": "todas"}).json()["empresas"]
    assert [row["cnpj"] for row in every] == sorted([*NUMBERS, CLOSED])
    for answer in answers:
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert [row["cnpj"] for row in page["empresas"]] == NUMBERS
        assert all(row.keys() == MEMBERS for row in page["empresas"])
        assert {**page, "empresas": []} == {
            "empresas": [], "total": 3, "total_exato": True, "cursor": None, "data_base": "2026-10-15",
            "sugestoes": [],
        }  # fmt: skip


def test_pages_are_read_by_their_cursors(api: httpx.Client) -> None:
    found, cursor = list[str](), {}
    with counting(api, 0):
        for _ in NUMBERS:
            page = api.get(SEARCH, params={"nome": "SANDBOX", "limite": 1, **cursor}).json()
            found += [row["cnpj"] for row in page["empresas"]]
            cursor = {"cursor": page["cursor"]}
        assert (found, page["cursor"]) == (NUMBERS, None)
        first = api.get(SEARCH, params={"nome": "SANDBOX", "limite": 2}).json()["cursor"]
        refused = api.get(SEARCH, params={"nome": "SANDBOX", "uf": "SP", "cursor": first})
    assert problem(refused, 422, "invalid_fields")["errors"][0]["code"] == "invalid_cursor"


@pytest.mark.parametrize(
    ("content", "field", "code"),
    [
        ({"uf": "SP"}, "nome", "too_broad"),
        ({"nome": "!"}, "nome", "without_words"),
        ({"nome": "x", "socio": "JOANA"}, "socio", "unknown_field"),
        ({"cnae": "62015"}, "cnae", "invalid_code"),
    ],
)
def test_what_cannot_be_searched_is_refused_uncounted(
    api: httpx.Client, content: dict[str, str], field: str, code: str
) -> None:
    with counting(api, 0):
        for answer in (api.get(SEARCH, params=content), api.post(SEARCH, json=content)):
            issue, *_ = problem(answer, 422, "invalid_fields")["errors"]
            assert (issue["campo"], issue["code"]) == (field, code)


def test_a_search_finds_or_says_that_there_is_no_copy(api: httpx.Client) -> None:
    answer = api.get(SEARCH, params={"raiz": "33000167"})
    assert answer.status_code == 200 or problem(answer, 503, "copy_unavailable")
