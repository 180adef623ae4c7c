"""A problem stays short, however many fields of its request are invalid."""

import json
import tracemalloc
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.skills.batch import check_item
from brskills_server.skills.cnpj.look_up_companies import LOOK_UP_COMPANIES
from brskills_server.skills.custom_errors import sanitize_error
from brskills_server.skills.errors import MOST_LISTED, InvalidRequest
from brskills_server.skills.issues import issue
from brskills_server.skills.perform import perform
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE
from brskills_server.skills.pix.create_pix_codes import CREATE_PIX_CODES
from brskills_server.skills.skill import Call, Skill
from brskills_server.web.body import read_json
from brskills_server.web.problems import content_of, problem_of
from brskills_server.web.request import Request
from tests.fakes import odd_skills
from tests.for_each import for_each

NOBODY: Any = SimpleNamespace(quota=None, plan=None)


def unknown(count: int) -> dict[str, int]:
    return {f"x{number:05}": number for number in range(count)}


def problem(error: Exception, language: str = "pt") -> dict[str, Any]:
    found = problem_of(error)
    assert found
    return content_of(found, "r", language)


def refused(skill: Skill, content: dict[str, Any], repeat_key: str | None = None) -> dict[str, Any]:
    call = Call(NOBODY, "pt", NOBODY, repeat_key=repeat_key)
    with pytest.raises(InvalidRequest) as caught:
        perform(skill, content, call, skill.write)
    return problem(caught.value)


@pytest.mark.parametrize("language", ["pt", "en"])
@given(count=st.integers(1, 200))
def test_fifty_are_listed_and_all_are_counted(language: str, count: int) -> None:
    content = problem(InvalidRequest(*(issue(name, "required") for name in unknown(count))), language)
    assert [each["campo"] for each in content["errors"]] == [*unknown(count)][:MOST_LISTED]
    assert content.get("errors_total") == (count if count > MOST_LISTED else None)


@for_each("skill", [CREATE_PIX_CODES, LOOK_UP_COMPANIES, CREATE_PIX_CODE, odd_skills.ODD_ECHO])
def test_known_fields_are_listed_before_unknown_ones(skill: Skill) -> None:
    content = refused(skill, unknown(300))
    assert content["errors_total"] > 300
    assert content["errors"][0]["code"] == "required"
    assert len(content["errors"]) == MOST_LISTED


def test_the_issue_of_a_key_is_one_of_them() -> None:
    content = refused(CREATE_PIX_CODES, unknown(300), repeat_key="ã")
    assert content["errors"][0]["campo"] == "Idempotency-Key"
    assert len(content["errors"]) == MOST_LISTED
    assert content["errors_total"] == 302


def test_a_custom_skill_lists_no_more_and_no_longer_texts() -> None:
    class Many(InvalidRequest):
        def __init__(self) -> None:
            super().__init__()
            self.fields = [Loud()] * 100_000

    class Loud:
        field, code = "x", "y"

        def detail(self, language: str) -> str:
            return language * 100_000

    content = problem(sanitize_error(Many(), "loud"))
    assert len(content["errors"]) == MOST_LISTED
    assert all(len(each["detail"]) == 1000 for each in content["errors"])
    assert problem(sanitize_error(InvalidRequest(*[Loud()] * 99), "loud"))["errors_total"] == 99


def test_a_name_that_a_caller_made_up_is_cut() -> None:
    item = check_item(CREATE_PIX_CODE, {"é" * 100_000: 1})
    assert item.error
    assert [each["campo"] for each in problem(item.error)["errors"] if each["code"] == "unknown_field"] == [
        f"{'é' * 80}…"
    ]


@pytest.mark.parametrize("items", [1, 100])
def test_the_issues_of_a_batch_take_memory_by_its_size(items: int) -> None:
    each = 30_000 // items
    body = json.dumps({"itens": [unknown(each)] * items}, separators=(",", ":")).encode()
    request = Request({"httpMethod": "POST", "resource": "/", "body": body.decode()})
    content = read_json(request, most=len(body))
    assert CREATE_PIX_CODES.prepare
    tracemalloc.start()
    try:
        batch = CREATE_PIX_CODES.prepare(content)
        problems = [json.dumps(problem(item.error)) for item in batch.items]
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20 * len(body)
    assert kept < 6 * len(body)
    assert sum(map(len, problems)) < items * 20_000
