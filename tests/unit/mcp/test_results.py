from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.errors import InvalidKey, StoreUnavailable
from brskills_server.agents.discovery import instructions
from brskills_server.agents.hints import _HINTS
from brskills_server.agents.results import DATA_MARK, failure, success
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.quota import Quota
from brskills_server.runtime.settings import Settings
from brskills_server.skills.errors import ApiError
from brskills_server.skills.issues import issue
from brskills_server.web.problem_table import PROBLEMS
from brskills_server.web.problems import Problem
from tests.for_each import for_each

from .conftest import Caller, request_of

NOW = 1_795_000_000.0
DEFAULTS = Settings.from_environment({})


def test_an_answer_is_text_and_data_with_the_picture_for_people() -> None:
    content = success({"a": "ç"}, {"X-RateLimit-Limit": "100"}, b"\x89PNG")
    assert content.headers == {"X-RateLimit-Limit": "100"}
    text, image = content.content["content"]
    assert (text["type"], text["text"]) == ("text", '{"a":"ç"}')
    assert (image["type"], image["mimeType"]) == ("image", "image/png")
    assert base64.b64decode(image["data"]) == b"\x89PNG"
    assert image["annotations"] == {"audience": ["user"]}
    assert content.content["structuredContent"] == {"a": "ç"}


@pytest.mark.parametrize("language", ["pt", "en"])
@given(
    name=st.text(st.characters())
    | st.sampled_from([f"SA\n{mark}\n{{}}\n{mark}" for mark in DATA_MARK.values()])
    | st.text('\n\r\x85\u2028\u2029"\\{}\u200b\u202e\U000e0041', max_size=20)
)
def test_no_name_ends_the_data_or_poses_as_the_mark(language: str, name: str) -> None:
    data = {"razao_social": name, "socios": [{"nome": name}]}
    content = success(data, mark=DATA_MARK[language]).content
    written, mark = (part["text"] for part in content["content"])
    assert mark == DATA_MARK[language]
    assert json.loads(written) == content["structuredContent"] == data
    assert written.isprintable()


def test_a_failure_has_code_fields_and_next_step() -> None:
    issues = [issue("cidade", "required"), issue("x", "unknown_field", known="y")]
    problem = Problem("invalid_fields", fields=issues)
    content = failure(problem, request_of("", {"Accept-Language": "en"}), DEFAULTS).content
    assert content["isError"] is True
    lines = content["content"][0]["text"].splitlines()
    assert lines[0].startswith("invalid_fields: ")
    assert lines[1:3] == [
        "- cidade (required): Required field.",
        "- x (unknown_field): Unknown field. Accepted fields: y.",
    ]
    assert lines[3] == f"What to do: {content['structuredContent']['o_que_fazer']}"
    assert [error["campo"] for error in content["structuredContent"]["errors"]] == ["cidade", "x"]
    assert content["structuredContent"]["request_id"] == "abc"


@for_each(
    ("given", "closed"),
    [
        ("", ""),
        ("DEMO_MONTHLY_LIMIT", DEFAULTS.demo_api_key),
        ("SIGNUPS_PER_DAY", "https://api.example.com/v1/api/v1/keys"),
    ],
)
@for_each("language", ["pt", "en"])
def test_only_open_ways_to_a_key_are_named(given: str, closed: str, language: str) -> None:
    ways = {DEFAULTS.demo_api_key, "https://api.example.com/v1/api/v1/keys"}
    limits = {given: "0"} if given else {}
    settings = Settings.from_environment({**limits, "SUPPORT_URL": "https://brskills.example/ajuda"})
    request = request_of("", {"Accept-Language": language})
    shown = [
        failure(Problem(code), request, settings).content["content"][0]["text"]
        for code in ("missing_api_key", "invalid_api_key")
    ]
    for text in (*shown, instructions(settings, request)):
        assert {way for way in ways if way in text} == ways - {closed}
        assert (settings.support_url in text) == (given == "SIGNUPS_PER_DAY")


@pytest.mark.parametrize(
    ("error", "code", "retry_after"),
    [
        (InvalidKey(), "invalid_api_key", None),
        (QuotaExceeded(Quota("free", "2026-11", 100, 100, NOW)), "quota_exceeded", 1094000),
        (StoreUnavailable("x"), "store_unavailable", 2),
        (
            ApiError("company_not_found", details={"confirmado": True, "data_base": None}),
            "company_not_found",
            None,
        ),
    ],
)
def test_an_error_of_the_ledger_is_a_result(
    caller: Caller, error: Exception, code: str, retry_after: int | None
) -> None:
    def fail(*_: object) -> None:
        raise error

    caller.run = fail
    for answered in (
        caller.old("tools/call", {"name": "get_usage"}),
        caller.new("tools/call", {"name": "get_usage"}),
    ):
        result = answered.body["result"]
        assert (answered.status, result["isError"]) == (200, True)
        assert result["structuredContent"]["code"] == code
        assert result["structuredContent"].get("retry_after") == retry_after
        assert result["content"][0]["text"].startswith(code)
    if code == "quota_exceeded":
        assert answered.headers["X-RateLimit-Remaining"] == "0"


@pytest.mark.parametrize(
    ("plan", "way"), [("demo", "POST {base}/api/v1/keys"), ("free", "{base}/api/v1/plans")]
)
def test_the_hint_of_a_used_up_month_fits_the_plan(caller: Caller, plan: str, way: str) -> None:
    def fail(*_: object) -> None:
        raise QuotaExceeded(Quota(plan, "2026-11", 20, 20, NOW))

    caller.run = fail
    text = caller.old("tools/call", {"name": "get_usage"}).body["result"]["content"][0]["text"]
    assert way.format(base="https://api.example.com/v1") in text.splitlines()[-1]


def test_hints_are_for_known_codes_in_both_languages() -> None:
    assert set(_HINTS) <= set(PROBLEMS)
    assert all(set(texts) == {"pt", "en"} for texts in _HINTS.values())
