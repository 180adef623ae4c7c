"""A batch over HTTP: an unexpected error, and what is logged and recorded of its items."""

import json
from typing import Any

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.metering.ledger import Ledger
from brskills_server.registry.answer import Answer
from brskills_server.registry.errors import SourcesUnavailable
from brskills_server.runtime.settings import Settings
from brskills_server.skills.cnpj.look_up_companies import LOOK_UP_COMPANIES
from brskills_server.telemetry.figures import REFUSALS
from brskills_server.web.application import Application
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import skill_routes
from tests.conftest import NOVEMBER
from tests.fakes.figures import remembered

KNOWN, BROKEN, AWAY = "11222333000181", "11222333000505", "11222333000424"


class Services:
    """A registry that knows one company, stumbles over another and cannot reach the third."""

    search = None

    def __init__(self, ledger: Ledger, accounts: Accounts) -> None:
        self.ledger, self.accounts = ledger, accounts
        self.settings = Settings.from_environment({})

    def find_company(self, query: Any, session: Any) -> Any:
        raise AssertionError

    def find_history(self, cnpj: str) -> Any:
        raise AssertionError

    def find_companies(self, queries: Any, session: Any) -> list[Any]:
        return [self._found(query.cnpj) for query in queries]

    def _found(self, cnpj: str) -> Any:
        if cnpj == BROKEN:
            return ZeroDivisionError(f"of {cnpj}")
        if cnpj == AWAY:
            return SourcesUnavailable(7)
        return Answer(json.dumps({"cnpj": cnpj}), int(NOVEMBER), int(NOVEMBER))


@pytest.fixture
def answered(ledger: Ledger, accounts: Accounts) -> Any:
    """A function that sends a batch with some headers and gives the answer's headers and content."""
    caller, _ = accounts.identify(accounts.open("free").api_key)
    services: Any = Services(ledger, accounts)
    routes = skill_routes(Sessions(services, services), LOOK_UP_COMPANIES)

    def send(body: Any, **headers: str) -> tuple[dict[str, str], Any]:
        event = {
            "httpMethod": "POST",
            "resource": "/api/v1/skills/cnpj/lote",
            "headers": {name.replace("_", "-"): value for name, value in headers.items()},
            "body": json.dumps(body),
            "requestContext": {
                "requestId": "abc",
                "authorizer": {"account": caller.account, "key": caller.key},
            },
        }
        result = Application("batches", routes)(event, None)
        return result["headers"], json.loads(result["body"])

    return send


def test_an_unexpected_error_is_its_items_problem_and_is_logged(answered, capsys) -> None:
    with remembered() as recorder:
        headers, body = answered({"cnpjs": [KNOWN, BROKEN, AWAY, "x"]}, Accept_Language="en")
    problems = [entry.get("problema") for entry in body["resultados"]]
    assert [problem and problem["code"] for problem in problems] == [
        None,
        "internal_error",
        "sources_unavailable",
        "invalid_fields",
    ]
    assert {problem["request_id"] for problem in problems if problem} == {"abc"}
    assert {problem.get("retry_after") for problem in problems if problem} == {None, 7}
    assert (body["contadas"], headers["X-RateLimit-Remaining"]) == (1, "99")
    assert recorder.of(REFUSALS) == {
        ("internal_error",): 1,
        ("sources_unavailable",): 1,
        ("invalid_fields",): 1,
    }
    printed = capsys.readouterr().out
    failure, call = map(json.loads, printed.splitlines())
    assert (failure["message"], failure["error"]) == ("failure", "ZeroDivisionError")
    assert (call["message"], call["status"]) == ("call", 200)
    assert BROKEN not in printed


@pytest.mark.parametrize("header", ["Idempotency_Key", "idempotency_key"])
def test_a_batch_sent_again_says_so(answered, header) -> None:
    first, again = (answered({"cnpjs": [KNOWN]}, **{header: "a"})[0] for _ in range(2))
    assert (first.get("Idempotency-Replayed"), again["Idempotency-Replayed"]) == (None, "true")
    assert first["X-RateLimit-Remaining"] == again["X-RateLimit-Remaining"] == "99"
