"""Each rule of each task fails for a run that is wrong in that alone; right runs are those of a gateway."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lab.agents.conversation import Called, Run
from lab.agents.evaluation import perform
from lab.agents.rules import Phrase, Quote
from lab.agents.scripted import ScriptedModel
from lab.agents.scripts import RIGHT
from lab.agents.task import Task
from lab.agents.tasks import TASKS
from lab.agents.text import fold, without

every_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)


@pytest.fixture(scope="session")
def right(base: str) -> dict[str, Run]:
    return {task.name: perform(task, ScriptedModel(RIGHT[task.name]), base).run for task in TASKS}


def broken(task: Task, run: Run) -> set[str]:
    return {rule.name for rule in task.failures(run)}


def with_arguments(run: Run, tool: str, **arguments: Any) -> Run:
    """The run with other arguments in its calls of a tool."""
    calls = [
        call._replace(arguments={**call.arguments, **arguments}) if call.tool == tool else call
        for call in run.calls
    ]
    return run._replace(calls=tuple(calls))


def spoiled(phrase: Phrase | Quote, run: Run) -> Run:
    """The run with an answer that breaks this rule."""
    if isinstance(phrase, Quote):
        return run._replace(answer=run.answer.replace(str(run.calls[-1].data[phrase.member]), "…"))
    if not phrase.said:
        return run._replace(answer=f"{run.answer} {phrase.forms[0]}.")
    answer = run.answer
    for form in phrase.forms:
        answer = without(answer, form)
    return run._replace(answer=answer)


@every_task
def test_a_phrase_that_is_missing_or_wrong_is_noticed(task: Task, right: dict[str, Run]) -> None:
    for phrase in task.phrases:
        (rule,) = (each for each in task.rules if each.holds == phrase.holds)
        run = spoiled(phrase, right[task.name])
        assert rule.name in broken(task, run)
        assert {each.column for each in task.failures(run)} <= {"answer", "source and date"}


@every_task
def test_each_form_of_a_phrase_is_enough(task: Task, right: dict[str, Run]) -> None:
    for phrase in task.phrases:
        if isinstance(phrase, Quote):
            continue
        run = spoiled(phrase, right[task.name])
        for form in phrase.forms:
            said = run._replace(answer=f"{run.answer} ({form.upper()}).")
            assert phrase.holds(said) == phrase.said, fold(said.answer)


@every_task
def test_a_wrong_or_further_argument_is_noticed_alone(task: Task, right: dict[str, Run]) -> None:
    for step in task.steps:
        for field in step.arguments:
            run = with_arguments(right[task.name], step.tool, **{field: "another"})
            assert broken(task, run) == {f"{step.tool}: {field} is wrong"}
        run = with_arguments(right[task.name], step.tool, another=1)
        assert broken(task, run) == {f"{step.tool}: has other arguments"}
        absent = dict.fromkeys(("another", *step.optional))
        assert broken(task, with_arguments(right[task.name], step.tool, **absent)) == set()


@every_task
def test_calls_that_are_missing_in_excess_or_in_another_order_are_noticed(
    task: Task, right: dict[str, Run]
) -> None:
    run = right[task.name]
    stranger = Called("another", {}, {})
    assert broken(task, run._replace(calls=(*run.calls, stranger))) == {"calls another tool"}
    many = (*run.calls, *[run.calls[-1] if run.calls else stranger] * 3)
    assert "calls too often" in broken(task, run._replace(calls=many))
    assert set(missing(task)) <= broken(task, run._replace(calls=()))
    if len(task.steps) > 1:
        assert broken(task, run._replace(calls=run.calls[::-1])) == {[*missing(task)][-1]}


def missing(task: Task) -> Iterator[str]:
    """The names of the rules that a run without calls breaks."""
    return (rule.name for rule in task.rules if rule.name.startswith("does not call "))


@every_task
def test_a_run_without_an_answer_says_nothing(task: Task, right: dict[str, Run]) -> None:
    names = {rule.name for rule in task.rules if rule.column in {"answer", "source and date"}}
    assert broken(task, right[task.name]._replace(answer="")) == names
