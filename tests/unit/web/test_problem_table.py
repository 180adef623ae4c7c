"""One catalogue, complete in both languages, and the gateway's own answers taken from it."""

import json
import string

from brskills_server.gateway.head import MAX_HEAD_BYTES, MAX_HEADERS, MAX_TARGET_BYTES
from brskills_server.gateway.template import load
from brskills_server.skills.issues import FIELD_TEXTS
from brskills_server.web.problem_table import PROBLEMS, UNREADABLE
from brskills_server.web.response import EXPOSED_HEADERS
from tests.for_each import for_each

CONTRACT = {
    400: {"malformed_json", "invalid_signature"},
    401: {"missing_api_key", "invalid_api_key", "invalid_token"},
    403: {"demo_key", "insufficient_scope", "signup_closed"},
    404: {"not_found", "company_not_found"},
    409: {"already_subscribed", "watch_limit", "webhook_limit", "webhook_inactive"},
    410: {"cursor_expired"},
    413: {"body_too_large"},
    415: {"unsupported_media_type"},
    422: {"invalid_fields", "idempotency_key_reused"},
    429: {"quota_exceeded", "throttled", "signup_limit", "uncounted_limit"},
    500: {"internal_error"},
    503: {"sources_unavailable", "store_unavailable", "billing_unavailable", "copy_unavailable"},
}


def fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_codes_and_statuses_are_the_contracts() -> None:
    built: dict[int, set[str]] = {}
    for code, kind in PROBLEMS.items():
        built.setdefault(kind.status, set()).add(code.split(":")[0])
    assert built == CONTRACT


def test_what_cannot_be_read_has_codes_and_statuses_of_its_own() -> None:
    assert {code: kind.status for code, kind in UNREADABLE.items()} == {
        "malformed_request": 400,
        "request_timeout": 408,
        "uri_too_long": 414,
        "headers_too_large": 431,
        "unsupported_transfer_encoding": 501,
    }
    assert str(MAX_TARGET_BYTES) in UNREADABLE["uri_too_long"].texts["pt"].detail
    assert str(MAX_HEAD_BYTES) in UNREADABLE["headers_too_large"].texts["pt"].detail
    assert str(MAX_HEADERS) in UNREADABLE["headers_too_large"].texts["pt"].detail


def test_every_text_is_in_both_languages_with_the_same_gaps() -> None:
    for kind in [*PROBLEMS.values(), *UNREADABLE.values()]:
        pt, en = kind.texts["pt"], kind.texts["en"]
        assert all([pt.title, pt.detail, en.title, en.detail])
        assert fields(pt.detail) == fields(en.detail)
        assert pt != en
    for texts in FIELD_TEXTS.values():
        assert texts["pt"] != texts["en"]
        assert fields(texts["pt"]) == fields(texts["en"])


GATEWAY_CODES = {
    "UNAUTHORIZED": "missing_api_key",
    "ACCESS_DENIED": "invalid_api_key",
    "INVALID_API_KEY": "invalid_api_key",
    "AUTHORIZER_FAILURE": "store_unavailable",
    "AUTHORIZER_CONFIGURATION_ERROR": "store_unavailable",
    "MISSING_AUTHENTICATION_TOKEN": "not_found",
    "DEFAULT_4XX": "not_found",
    "THROTTLED": "throttled",
    "WAF_FILTERED": "throttled",
    "REQUEST_TOO_LARGE": "body_too_large",
    "UNSUPPORTED_MEDIA_TYPE": "unsupported_media_type",
    "DEFAULT_5XX": "internal_error",
}


def test_the_gateway_has_an_answer_of_its_own_for_each_case() -> None:
    assert load().errors.keys() == GATEWAY_CODES.keys()


@for_each(("kind", "code"), GATEWAY_CODES.items())
def test_the_gateways_answers_are_the_functions_answers(kind: str, code: str) -> None:
    error = load().errors[kind]
    expected = PROBLEMS[code]
    pt, en = expected.texts["pt"], expected.texts["en"]
    assert error.status == expected.status
    assert error.headers["Content-Type"] == "'application/problem+json'"
    assert json.loads(error.body) == {
        "type": f"urn:brskills:problem:{code}",
        "title": f"{pt.title} / {en.title}",
        "status": expected.status,
        "detail": f"{pt.detail} / {en.detail}",
        "code": code,
        "request_id": "$context.requestId",
    }
    assert error.headers["X-Request-Id"] == "context.requestId"
    assert error.headers["Access-Control-Allow-Origin"] == "'*'"
    assert error.headers["Access-Control-Expose-Headers"] == f"'{EXPOSED_HEADERS}'"
    assert error.headers["Cache-Control"] == "'no-store'"
    assert ("Retry-After" in error.headers) == (expected.status in {429, 503})
