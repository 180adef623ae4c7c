"""From a declaration to HTTP: which fields a request has, and which form its answer takes."""

import json
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ConfigDict

from brskills_server.metering.session import Session
from brskills_server.skills.skill import Endpoint, Skill, Texts, never
from brskills_server.skills.validation import WholeNumber
from brskills_server.web.application import Application
from brskills_server.web.request import Request
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import skill_routes
from tests.for_each import for_each


class Question(BaseModel):
    """Uma pergunta."""

    model_config = ConfigDict(extra="forbid")

    nome: str
    vezes: Annotated[int, WholeNumber] = 1


class Anybody(Sessions):
    """Sessions in which nobody is asked for a key."""

    def __init__(self) -> None:
        super().__init__(SimpleNamespace(ledger=None))  # type: ignore[arg-type]

    def of(self, request: Request) -> Session:
        return FREE


class Free:
    quota = None
    plan = None
    replayed = False

    def settle(self) -> None:
        """Nothing was counted."""

    def take_allowance(self, body_bytes: int) -> None:
        """Nothing is limited."""

    def release(self) -> None:
        """Nothing was counted."""


FREE: Any = Free()
SKILL = Skill(
    name="ask",
    scope="conta",
    texts=Texts("t", "p", "u", "a", "n", "e", "g"),
    request=Question,
    result=Question,
    answer=lambda request, call: request,
    counts=never,
    endpoints=(Endpoint("POST", "/ask", "ask"), Endpoint("GET", "/ask/{nome+}", "askByPath")),
    forms={"text/plain": lambda found: str(found.nome), "image/png": lambda found: b"\x89PNG"},
    remarks={
        "X-Ajustes": lambda found: "vezes;muitas" if found.vezes > 1 else "",
        "X-Alertas": lambda found: "vezes;demais" if found.vezes > 2 else "",
    },
)


def call(
    skill: Skill, method: str = "POST", body: Any = None, headers: dict[str, str] | None = None, **event: Any
) -> dict[str, Any]:
    result: dict[str, Any] = Application("test", skill_routes(Anybody(), skill))(
        {
            "httpMethod": method,
            "resource": "/ask" if method == "POST" else "/ask/{nome+}",
            "headers": headers or {},
            "body": json.dumps(body),
            "requestContext": {"requestId": "abc"},
            **event,
        },
        None,
    )
    return result


def test_a_body_is_the_request() -> None:
    answered = call(SKILL, body={"nome": "Ana", "vezes": 2.0})
    assert json.loads(answered["body"]) == {"nome": "Ana", "vezes": 2}
    assert answered["headers"]["Cache-Control"] == "no-store"
    assert "X-Ajustes" not in answered["headers"]


def test_path_and_query_are_the_request() -> None:
    answered = call(
        SKILL, "GET", pathParameters={"nome": "33.000%2F1"}, multiValueQueryStringParameters={"vezes": ["3"]}
    )
    assert json.loads(answered["body"]) == {"nome": "33.000/1", "vezes": 3}


def test_a_large_number_in_a_query_is_a_number() -> None:
    query = {"vezes": ["9" * 23]}
    answered = call(SKILL, "GET", pathParameters={"nome": "Ana"}, multiValueQueryStringParameters=query)
    assert json.loads(answered["body"])["vezes"] == int("9" * 23)


@for_each("query", [{"vezes": ["x"]}, {"vezes": ["1", "2"]}, {"vezes": [""]}, {"cor": ["x"]}])
def test_a_query_is_checked_as_a_body_is(query: dict[str, list[str]]) -> None:
    answered = call(SKILL, "GET", pathParameters={"nome": "Ana"}, multiValueQueryStringParameters=query)
    assert answered["statusCode"] == 422
    assert [error["campo"] for error in json.loads(answered["body"])["errors"]] == list(query)


@pytest.mark.parametrize("query", [{"vezes": ["3"]}, {"cor": [""], "nome": ["Rui"]}])
def test_a_query_beside_a_body_is_refused_by_name(query: dict[str, list[str]]) -> None:
    answered = call(SKILL, body={"nome": "Ana"}, multiValueQueryStringParameters=query)
    errors = json.loads(answered["body"])["errors"]
    assert answered["statusCode"] == 422
    assert [(error["campo"], error["code"]) for error in errors] == [
        (name, "unknown_field") for name in query
    ]
    assert all("JSON" in error["detail"] for error in errors)


def test_a_query_must_not_name_what_the_path_says() -> None:
    query = {"nome": ["Rui"]}
    answered = call(SKILL, "GET", pathParameters={"nome": "Ana"}, multiValueQueryStringParameters=query)
    (error,) = json.loads(answered["body"])["errors"]
    assert (answered["statusCode"], error["campo"], error["code"]) == (422, "nome", "unknown_field")


@for_each(
    ("accept", "media_type", "body"),
    [
        ("text/plain", "text/plain; charset=utf-8", "Ana"),
        ("IMAGE/PNG;q=1, text/plain", "image/png", "iVBORw=="),
        ("text/plain;q=0.5, image/png", "image/png", "iVBORw=="),
        ("application/xml", "application/json", '{"nome":"Ana","vezes":2}'),
    ],
)
def test_the_accepted_type_decides_the_form(accept: str, media_type: str, body: str) -> None:
    answered = call(SKILL, body={"nome": "Ana", "vezes": 2}, headers={"Accept": accept})
    assert (answered["headers"]["Content-Type"], answered["body"]) == (media_type, body)
    expected = answered["headers"].get("X-Ajustes")
    assert expected == (None if media_type == "application/json" else "vezes;muitas")
    assert "Accept" in answered["headers"]["Vary"]


@for_each(("times", "expected"), [(1, {}), (2, {"X-Ajustes"}), (3, {"X-Ajustes", "X-Alertas"})])
def test_remarks_are_in_headers_where_there_are_any(times: int, expected: set[str]) -> None:
    answered = call(SKILL, body={"nome": "Ana", "vezes": times}, headers={"Accept": "text/plain"})
    assert {"X-Ajustes", "X-Alertas"} & answered["headers"].keys() == set(expected)


@for_each("known", ['W/"Ana"', '"x", "Ana"', "*"])
def test_an_answer_with_a_validator_need_not_be_sent_again(known: str) -> None:
    tagged = Skill(
        **{name: getattr(SKILL, name) for name in Skill.__slots__}
        | {"validator": lambda found: f'W/"{found.nome}"', "forms": {}, "remarks": {}}
    )
    first = call(tagged, body={"nome": "Ana"})
    assert (first["headers"]["ETag"], first["headers"]["Cache-Control"]) == ('W/"Ana"', "private, no-cache")
    again = call(tagged, body={"nome": "Ana"}, headers={"If-None-Match": known})
    assert (again["statusCode"], again["body"], again["headers"]["ETag"]) == (304, "", 'W/"Ana"')
