"""A call of a custom skill is counted correctly and answered, or refused in plain values."""

import json
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from brskills_server.skills.bulkhead import MAX_ANSWER_BYTES, SLOTS, with_bulkhead
from brskills_server.skills.custom_errors import SkillFailed
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.issues import FieldIssue
from brskills_server.skills.perform import perform
from brskills_server.skills.skill import Call
from tests.fakes import odd_skills
from tests.fakes.odd_skills import Reply, odd
from tests.for_each import for_each

from .test_skill import Steps


def use(skill: Any, session: Steps | None = None, texto: object = "oi") -> str:
    call: Any = Call(session or Steps(), "pt", lambda *_: None)  # type: ignore[arg-type]
    return perform(skill, {"texto": texto}, call, skill.write)


def failing(skill: Any) -> tuple[Exception, list[str]]:
    """What a call ends in, and what was done with the ledger."""
    session = Steps()
    with pytest.raises((ApiError, SkillFailed)) as ended:
        use(with_bulkhead(skill), session)
    return ended.value, session.done


@for_each(
    ("skill", "done"),
    [(odd_skills.ODD_ECHO, ["reserve"]), (odd_skills.ODD_MORE, ["reserve"]), (odd_skills.ODD_FREE, [])],
)
def test_an_answer_has_what_its_result_model_declares_and_is_counted(skill: Any, done: list[str]) -> None:
    session = Steps()
    guarded = with_bulkhead(skill)
    assert json.loads(use(guarded, session)) == {"texto": "oi"}
    assert session.done == done
    assert guarded.is_free == (not done)


def test_the_skill_decides_which_calls_count() -> None:
    session = Steps()
    skill = with_bulkhead(odd("odd", odd_skills.ODD_ECHO.answer, counts=lambda asked: asked.texto == "paid"))
    use(skill, session)
    assert session.done == []
    use(skill, session, texto="paid")
    assert session.done == ["reserve"]


@for_each(
    ("skill", "kind"),
    [
        (odd_skills.ODD_CRASH, "ValueError"),
        (odd_skills.ODD_EXIT, "SystemExit"),
        (odd_skills.ODD_STRANGER, "TypeError"),
        (odd_skills.ODD_UNCHECKED, "PydanticSerializationError"),
        (odd_skills.ODD_UNSENDABLE, "PydanticSerializationError"),
        (odd_skills.ODD_HUGE, "OverflowError"),
        (odd_skills.ODD_NUMBER, "ValueError"),
        (odd_skills.ODD_THIEF, "AttributeError"),
        (odd_skills.ODD_CODE, "ApiError"),
    ],
)
def test_an_unexpected_error_or_invalid_answer_costs_nothing_and_quotes_nothing(
    skill: Any, kind: str
) -> None:
    error, done = failing(skill)
    assert str(error) == f"{skill.name}: {kind}"
    assert isinstance(error, SkillFailed)
    assert done == ["reserve", "release"]
    assert "not to be printed" not in "".join(traceback.format_exception_only(error))


def test_a_failure_shows_where_it_came_from() -> None:
    error, _ = failing(odd_skills.ODD_CRASH)
    assert "_quoting" in {frame.name for frame in traceback.extract_tb(error.__traceback__)}


def test_the_largest_answer() -> None:
    room = MAX_ANSWER_BYTES - len('{"texto":""}')
    skill = odd("odd", lambda asked, call: Reply(texto="x" * room))
    assert len(use(with_bulkhead(skill))) == MAX_ANSWER_BYTES
    too_much, _ = failing(odd("odd", lambda asked, call: Reply(texto="x" * (room + 1))))
    assert str(too_much) == "odd: OverflowError"


@for_each(("wait", "expected"), [(7, 7), (None, 5), ("soon", 5), (0, 1), (10**9, 3600)])
def test_an_unavailable_source_costs_nothing_and_has_a_valid_retry_time(wait: Any, expected: int) -> None:
    def answer(asked: Any, call: Any) -> Any:
        raise ApiError("sources_unavailable", retry_after=wait, counts=True)

    error, done = failing(odd("odd", answer))
    assert isinstance(error, ApiError)
    assert (error.code, error.wording, error.retry_after) == ("sources_unavailable", ":custom", expected)
    assert (error.parameters, error.counts) == ({"retry_after": expected}, False)
    assert done == ["reserve", "release"]


def test_issues_of_a_request_have_the_texts_of_the_skill() -> None:
    found = FieldIssue("texto", "unknown_word", {"pt": "Não.", "en": "No."})

    def prepare(content: dict[str, Any]) -> Any:
        raise InvalidRequest(found)

    error, done = failing(odd("odd", odd_skills.ODD_ECHO.answer, prepare=prepare))
    assert isinstance(error, InvalidRequest)
    assert list(error.fields) == [found]
    assert done == []


def test_issues_that_cannot_be_rendered_are_a_failure() -> None:
    class Mute:
        field = code = "x"

        def detail(self, language: str) -> str:
            raise KeyError(language)

    for issues in ([Mute()], [], [FieldIssue("x", "y", {"pt": "\ud800", "en": "No."})]):

        def answer(asked: Any, call: Any, issues: Any = issues) -> Any:
            raise InvalidRequest(*issues)

        error, done = failing(odd("odd", answer))
        assert isinstance(error, SkillFailed)
        assert done == ["reserve", "release"]


def test_a_request_that_does_not_fit_its_model_is_not_counted() -> None:
    session = Steps()
    with pytest.raises(InvalidRequest) as refused:
        use(with_bulkhead(odd_skills.ODD_ECHO), session, texto=5)
    assert [(issue.field, issue.code) for issue in refused.value.fields] == [("texto", "invalid_type")]
    assert session.done == []


@pytest.mark.parametrize(
    ("skill", "counted"),
    [(odd_skills.ODD_LATE, ["reserve", "release"]), (odd_skills.ODD_PREPARING, [])],
    ids=["answer", "prepare"],
)
def test_a_late_skill_costs_nothing(skill: Any, counted: list[str]) -> None:
    error, done = failing(skill)
    assert isinstance(error, ApiError)
    assert (error.code, error.wording, error.retry_after) == ("sources_unavailable", ":late", 5)
    assert error.parameters == {"seconds": f"{skill.seconds:g}", "retry_after": 5}
    assert done == counted


def test_time_that_checking_took_is_not_left_for_the_answer() -> None:
    def prepare(content: dict[str, Any]) -> None:
        threading.Event().wait(0.1)

    skill = with_bulkhead(odd("odd", odd_skills.ODD_ECHO.answer, prepare=prepare))
    assert skill.prepare
    assert 0 <= skill.prepare({}).seconds <= 10 - 0.1


def test_late_work_keeps_its_slot_until_it_ends() -> None:
    go, hanging = threading.Event(), threading.Semaphore(0)

    def answer(asked: Any, call: Any) -> Reply:
        if asked.texto == "late":
            hanging.release()
            go.wait(60)
        return Reply(texto=asked.texto)

    skill, other = with_bulkhead(odd("odd", answer, seconds=0.3)), with_bulkhead(odd_skills.ODD_ECHO)
    with ThreadPoolExecutor(SLOTS) as pool:
        calls = [pool.submit(use, skill, texto="late") for _ in range(SLOTS)]
        for _ in calls:
            assert hanging.acquire(timeout=60)
    assert [wording(call.exception()) for call in calls] == ["sources_unavailable:late"] * SLOTS
    session = Steps()
    with pytest.raises(ApiError) as refused:
        use(skill, session)
    assert (refused.value.code, refused.value.retry_after) == ("throttled", 1)
    assert session.done == []
    assert use(other)  # a skill in trouble holds up itself alone
    go.set()
    for _ in range(1000):  # a slot is free a moment after its work has ended
        with suppress(ApiError):
            assert use(skill)
            break
        threading.Event().wait(0.01)
    else:
        pytest.fail("no slot became free")


def wording(error: object) -> str:
    assert isinstance(error, ApiError)
    return error.code + error.wording


def test_a_skill_gets_the_language_and_nothing_of_its_caller() -> None:
    seen: list[Call] = []

    def answer(asked: Any, call: Call) -> Reply:
        seen.append(call)
        return Reply(texto=call.language)

    assert json.loads(use(with_bulkhead(odd("odd", answer)))) == {"texto": "pt"}
    assert (seen[0].session, seen[0].find_company) == (None, None)
