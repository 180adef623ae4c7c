import json
import re
from typing import Any

from brskills_server.accounts.errors import InvalidKey, SignupClosed, SignupLimit, StoreUnavailable
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.quota import Quota
from brskills_server.runtime.settings import Settings
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.issues import issue
from brskills_server.web.application import Application
from brskills_server.web.request import Request
from brskills_server.web.response import Response
from tests.for_each import for_each

NOW = 1_795_000_000.0


def call(
    handler: Any, language: str = "pt", service: str = "test", contact: str = ""
) -> tuple[dict[str, Any], dict[str, Any]]:
    event = {
        "httpMethod": "GET",
        "resource": "/x",
        "headers": {"Accept-Language": language},
        "requestContext": {"requestId": "abc"},
    }
    result = Application(service, {("GET", "/x"): handler}, support_contact=contact)(event, None)
    return result, json.loads(result["body"]) if result["body"] else {}


def raising(error: Exception) -> Any:
    def handler(request: Request) -> Response:
        raise error

    return handler


@for_each(
    ("error", "status", "code", "retry_after"),
    [
        (InvalidKey(), 401, "invalid_api_key", None),
        (QuotaExceeded(Quota("free", "2026-11", 100, 100, NOW)), 429, "quota_exceeded", "1094000"),
        (SignupClosed(" (https://brskills.example/ajuda)"), 403, "signup_closed", None),
        (SignupLimit(7, 5, 1), 429, "signup_limit", "7"),
        (SignupLimit(86_407, 20, 30), 429, "signup_limit", "86407"),
        (StoreUnavailable("x"), 503, "store_unavailable", "2"),
        (ZeroDivisionError("529.982.247-25"), 500, "internal_error", None),
        (ApiError("not_found"), 404, "not_found", None),
    ],
)
def test_an_error_is_answered_by_its_problem(error, status, code, retry_after) -> None:
    result, body = call(raising(error))
    assert (result["statusCode"], body["status"], body["code"]) == (status, status, code)
    assert result["headers"]["Content-Type"] == "application/problem+json"
    assert result["headers"].get("Retry-After") == retry_after
    assert body.get("retry_after") == (None if retry_after is None else int(retry_after))
    assert result["headers"]["X-Request-Id"] == body["request_id"] == "abc"
    assert result["headers"]["Access-Control-Allow-Origin"] == "*"
    assert {"type", "title", "status", "detail", "code", "request_id"} <= body.keys()


def test_quota_exceeded_carries_the_rate_headers() -> None:
    result, _ = call(raising(QuotaExceeded(Quota("free", "2026-11", 100, 100, NOW))))
    headers = result["headers"]
    assert (headers["X-RateLimit-Limit"], headers["X-RateLimit-Remaining"]) == ("100", "0")
    assert headers["X-RateLimit-Reset"] == "1796094000"  # 2026-12-01T00:00:00-03:00
    assert headers["RateLimit-Policy"] == '"month";q=100'
    assert headers["RateLimit"] == f'"month";r=0;t={headers["Retry-After"]}'


def test_all_faulty_fields_are_listed() -> None:
    faults = [issue("a", "required"), issue("b", "invalid_type", expected="texto")]
    _, body = call(raising(InvalidRequest(*faults)))
    assert [(error["campo"], error["code"]) for error in body["errors"]] == [
        ("a", "required"),
        ("b", "invalid_type"),
    ]
    assert all(error["detail"] for error in body["errors"])


def test_the_language_changes_the_texts_and_not_the_code() -> None:
    result, english = call(raising(InvalidKey()), "en")
    _, portuguese = call(raising(InvalidKey()), "pt-BR")
    assert english["code"] == portuguese["code"]
    assert english["detail"] != portuguese["detail"]
    assert result["headers"]["Content-Language"] == "en"
    assert "Accept-Language" in result["headers"]["Vary"]


def test_an_unknown_route_is_not_found() -> None:
    result = Application("test", {})({"httpMethod": "GET", "resource": "/", "requestContext": {}}, None)
    assert result["statusCode"] == 404


def test_what_a_caller_sent_is_not_logged(capsys) -> None:
    call(raising(ValueError("chave 529.982.247-25 de fulano@exemplo.com.br")), service="logged")
    logged = capsys.readouterr().out
    assert "ValueError" in logged
    assert not re.search(r"529\.982|52998", logged)  # a line may hold 529 as its milliseconds
    assert "fulano" not in logged
    lines = [json.loads(line) for line in logged.splitlines()]
    assert lines[-1]["route"] == "GET /x"
    assert (lines[-1]["status"], lines[-1]["code"], lines[-1]["request_id"]) == (500, "internal_error", "abc")


def test_bytes_travel_in_base64() -> None:
    result, _ = call(lambda request: Response(204, b""))
    assert result["isBase64Encoded"]
    event = {"httpMethod": "GET", "resource": "/x", "requestContext": {"requestId": "abc"}}
    result = Application("test", {("GET", "/x"): lambda request: Response(200, b"\x89PNG")})(event, None)
    assert (result["body"], result["isBase64Encoded"]) == ("iVBORw==", True)


@for_each("language", ["pt", "en"])
@for_each(
    ("settings", "named"),
    [
        ({}, ""),
        ({"CONTACT_EMAIL": "ajuda@brskills.example"}, " (ajuda@brskills.example)"),
        ({"SUPPORT_URL": "https://brskills.example/{ajuda}"}, " (https://brskills.example/{ajuda})"),
    ],
)
def test_an_internal_error_names_the_support_contact(settings, named, language) -> None:
    contact = Settings.from_environment(settings).support_contact
    _, body = call(raising(ZeroDivisionError()), language, contact=contact)
    words = {"pt": "informe o request_id ao suporte{}.", "en": "contact support{} with the request_id."}
    assert words[language].format(named) in body["detail"]
    assert body["code"] == "internal_error"
