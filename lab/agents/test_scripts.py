"""The scripted model on a running gateway: right scripts hold every rule, and each mistake is caught."""

from __future__ import annotations

import pytest

from lab.agents.evaluation import perform
from lab.agents.model import ModelError
from lab.agents.scripted import Mistake, ScriptedModel, use
from lab.agents.scripts import RIGHT, WRONG
from lab.agents.task import Task
from lab.agents.tasks import TASKS

MISTAKES = [(task, wrong) for task in TASKS for wrong in WRONG[task.name]]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_right_run_breaks_no_rule(task: Task, base: str) -> None:
    outcome = perform(task, ScriptedModel(RIGHT[task.name]), base)
    assert [rule.name for rule in outcome.failures] == []


@pytest.mark.parametrize(
    ("task", "wrong"), MISTAKES, ids=[f"{task.name}: {wrong.what}" for task, wrong in MISTAKES]
)
def test_a_mistake_breaks_the_rules_that_it_should(task: Task, wrong: Mistake, base: str) -> None:
    outcome = perform(task, ScriptedModel(wrong.script), base)
    assert {rule.name for rule in outcome.failures} == wrong.breaks


def test_accounts_are_prepared(base: str) -> None:
    tasks = {task.name: task for task in TASKS}
    runs = [
        perform(tasks[name], ScriptedModel(RIGHT[name]), base).run
        for name in ("changes in suppliers", "stop watching")
    ]
    ((change,), watches) = runs[0].calls[0].data["mudancas"], runs[1].calls[0].data["watches"]
    assert change["referencia"] == "fornecedor 7"
    assert [watch["referencia"] for watch in watches] == ["fornecedor 1", "fornecedor 3"]


def test_a_model_that_never_answers_has_no_answer(base: str) -> None:
    task = next(task for task in TASKS if task.name == "calls left")
    outcome = perform(task, ScriptedModel((use("get_usage"),) * 8), base)
    assert {rule.name for rule in outcome.failures} == {"calls too often", "does not say how many"}


def test_a_script_that_ends_without_an_answer_is_an_error(base: str) -> None:
    with pytest.raises(ModelError):
        perform(TASKS[0], ScriptedModel((use("get_usage"),)), base)
