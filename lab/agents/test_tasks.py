"""The set of tasks: twenty in two halves, and what is asked is in none of their answers by chance."""

import doctest
from collections import Counter

import pytest

from brskills_server.skills.catalogue import SKILLS
from lab.agents import arguments, register, text
from lab.agents.register import BAKERY, number_of
from lab.agents.scripts import RIGHT, WRONG
from lab.agents.tasks import TASKS
from lab.agents.tasks.companies import MISTYPED
from taxid import cnpj


def test_they_are_twenty_in_two_halves() -> None:
    assert Counter(task.half for task in TASKS) == {"tuning": 10, "reported": 10}
    assert len({task.name for task in TASKS}) == 20


def test_each_has_a_right_script_and_a_wrong_one() -> None:
    names = [task.name for task in TASKS]
    assert list(RIGHT) == sorted(RIGHT, key=names.index)
    assert RIGHT.keys() == WRONG.keys() == {*names}
    assert all(WRONG.values())


def test_each_tool_is_called_in_one_of_them() -> None:
    assert {step.tool for task in TASKS for step in task.steps} == SKILLS.keys()


def test_both_halves_have_answers_with_source_and_date_and_tasks_without_a_tool() -> None:
    for half in ("tuning", "reported"):
        tasks = [task for task in TASKS if task.half == half]
        assert sum(not task.steps for task in tasks) >= 1
        assert sum(rule.column == "source and date" for task in tasks for rule in task.rules) >= 8


def test_no_request_names_a_tool_or_a_field() -> None:
    fields = (field for task in TASKS for step in task.steps for field in step.arguments)
    words = {*SKILLS, *(field for field in fields if "_" in field)}
    assert not [word for task in TASKS for word in words if word in task.request]


def test_the_mistyped_number_is_one_digit_away() -> None:
    assert not cnpj.is_valid(MISTYPED)
    assert MISTYPED[:-1] == number_of(BAKERY)[:-1]


@pytest.mark.parametrize("module", [arguments, register, text])
def test_the_examples_hold(module: object) -> None:
    ran = doctest.testmod(module)  # type: ignore[arg-type]
    assert ran.attempted
    assert not ran.failed
