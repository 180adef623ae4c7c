"""The search over HTTP: a query and a body that mean the same, and every answer's form."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.metering.ledger import Ledger
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.runtime.settings import Settings
from brskills_server.skills.cnpj.search_companies import SEARCH_COMPANIES
from brskills_server.skills.cnpj.search_request import ANCHORS
from brskills_server.web.application import Application
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import skill_routes
from tests.fakes.register_search import DAY, FakeSearch, invented, rows_of_all

PATH = "/api/v1/skills/cnpj/busca"
RECORDS = invented(seed=11, count=120)
STATES = sorted({record["endereco"]["uf"] for record in RECORDS})
NUMBER = RECORDS[0]["cnpj"]


class Service:
    """The route, and the calls of the account that calls it."""

    def __init__(self, accounts: Accounts, ledger: Ledger) -> None:
        self.caller, _ = accounts.identify(accounts.open("pro").api_key)
        self.ledger, self.register = ledger, FakeSearch(rows_of_all(RECORDS), Edition(DAY, id="a1"))
        services: Any = SimpleNamespace(
            ledger=ledger, accounts=accounts, settings=Settings.from_environment({})
        )
        companies: Any = SimpleNamespace(
            find_company=list, find_companies=list, find_history=dict, search=self.register
        )
        self.routes = skill_routes(Sessions(services, companies), SEARCH_COMPANIES)

    def get(self, query: str, **headers: str) -> dict[str, Any]:
        parameters = parse_qs(query, keep_blank_values=True)
        return self._call("GET", headers, multiValueQueryStringParameters=parameters)

    def post(self, content: Any, **headers: str) -> dict[str, Any]:
        body = content if isinstance(content, str) else json.dumps(content)
        return self._call("POST", headers, body=body)

    def _call(self, method: str, headers: dict[str, str], **event: Any) -> dict[str, Any]:
        authorizer = {"account": self.caller.account, "key": self.caller.key}
        event |= {"httpMethod": method, "resource": PATH, "path": PATH, "headers": headers}
        context = {"requestId": "abc", "authorizer": authorizer}
        # A logger of another name for each test writes to the output that this test captures.
        return dict(Application(self.caller.account, self.routes)({**event, "requestContext": context}, None))

    @property
    def counted(self) -> int:
        return self.ledger.usage(self.caller)[0].calls


@pytest.fixture
def service(accounts: Accounts, ledger: Ledger) -> Service:
    return Service(accounts, ledger)


def content(answer: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer["body"])
    return found


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("nome=ltda&limite=100", {"nome": "ltda", "limite": 100}),
        (f"nome=ltda&uf={','.join(STATES[:3])}", {"nome": "ltda", "uf": STATES[:3]}),
        ("nome=ltda&uf=" + "&uf=".join(STATES[:3]), {"nome": ["ltda"], "uf": STATES[:3]}),
        (f"nome=ltda,a&uf={STATES[0]}&uf={STATES[1]},{STATES[2]}", {"nome": ["ltda", "a"], "uf": STATES[:3]}),
        ("nome=a,ltda&matriz=true&mei=false&situacao=todas", {
            "nome": ["a", "ltda"], "matriz": True, "mei": False, "situacao": "todas"}),
        (f"raiz={NUMBER[:8]}", {"raiz": [NUMBER[:8]]}),
        ("nome=ltda&aberta_de=2010-01-01&situacao=02", {
            "nome": "ltda", "aberta_de": "2010-01-01", "situacao": 2}),
    ],
)  # fmt: skip
def test_a_query_and_a_body_find_the_same(service: Service, query: str, body: dict[str, Any]) -> None:
    got, posted = service.get(query), service.post(body)
    assert (got["statusCode"], posted["statusCode"]) == (200, 200)
    assert content(got) == content(posted)
    assert content(got)["total"] > 0
    assert service.counted == 2
    assert got["headers"]["Cache-Control"] == "no-store"
    assert got["headers"]["Vary"] == "Accept, Accept-Language"


@pytest.mark.parametrize(
    ("query", "faulty"),
    [
        ("nome=ltda&matriz=sim&limite=muitas", {"matriz": "invalid_type", "limite": "invalid_type"}),
        ("nome=ltda&mei=true&mei=false", {"mei": "invalid_type"}),
        ("nome=ltda&uf=SP,,RJ", {"uf": "invalid_value"}),
        ("nome=", {"nome": "without_words"}),
        ("nome=%EF%BF%BD%00", {"nome": "without_words"}),
        ("uf=SP", dict.fromkeys(ANCHORS, "too_broad")),
        ("", dict.fromkeys(ANCHORS, "too_broad")),
        ("nome=ltda&email=a@example.com&cpf=1", {"email": "unknown_field", "cpf": "unknown_field"}),
        ("nome=ltda&cursor=AAAA", {"cursor": "invalid_cursor"}),
    ],
)
def test_a_query_has_the_issues_of_its_fields(service: Service, query: str, faulty: dict[str, str]) -> None:
    answer = service.get(query, **{"Accept-Language": "en"})
    problem = content(answer)
    assert (answer["statusCode"], problem["code"]) == (422, "invalid_fields")
    assert {each["campo"]: each["code"] for each in problem["errors"]} == faulty
    assert service.counted == 0


@pytest.mark.parametrize(
    "body",
    [
        '{"nome": "ltda", "nome": "me"}',
        '{"nome": "\\ud800"}',
        '{"nome": "a\\u0000b"}',
        '{"nome": 1e400}',
        '{"municipio": 1e29, "nome": "x"}',
        '{"cnae": 62015010000000000000000000000000000000000000000}',
        '{"nome": {"$ne": ""}}',
        json.dumps({"nome": ["a" * 200] * 20}),
        json.dumps({"nome": "x" * 10_000}),
    ],
)
def test_a_hostile_body_is_searched_for_or_refused(service: Service, body: str) -> None:
    assert service.post(body)["statusCode"] in {200, 400, 422}


def test_every_page_is_at_its_cursor(service: Service) -> None:
    numbers, query = [], "nome=ltda&limite=7"
    while query:
        page = content(service.get(query))
        numbers += [row["cnpj"] for row in page["empresas"]]
        query = f"nome=ltda&limite=7&cursor={page['cursor']}" if page["cursor"] else ""
    assert numbers == sorted({*numbers})
    assert len(numbers) == page["total"] > 14


def test_a_repeated_page_counts_once(service: Service) -> None:
    first, again = (service.post({"nome": "ltda"}, **{"Idempotency-Key": "k"}) for _ in range(2))
    assert content(first) == content(again)
    assert again["headers"]["Idempotency-Replayed"] == "true"
    assert service.counted == 1


def test_what_is_searched_for_is_in_no_log(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    service.get("nome=Segredissimo&cep=20031170")
    service.post({"nome": "Segredissimo", "cep": "x"})
    printed = capsys.readouterr().out
    assert "call" in printed
    assert not [word for word in ("Segredissimo", "SEGREDISSIMO", "20031170") if word in printed]
