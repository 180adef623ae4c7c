"""Running tasks, each with a new account, and the table of what held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, get_args

import httpx

from lab.agents.conversation import Run, converse
from lab.agents.model import Model
from lab.agents.rules import Column, Rule
from lab.agents.task import Task
from lab.agents.tools import Tools

_SECONDS = 60
COLUMNS: tuple[Column, ...] = get_args(Column)


class Outcome(NamedTuple):
    """A task, what a model did with it, and the rules that it broke."""

    task: Task
    run: Run
    failures: list[Rule]


def perform(task: Task, model: Model, base: str) -> Outcome:
    """Give a task to a model, with the tools of the gateway at ``base``. Raise ``ModelError``."""
    with httpx.Client(base_url=base, timeout=_SECONDS) as http:
        http.headers["X-API-Key"] = http.post("/api/v1/keys").raise_for_status().json()["api_key"]
        for path, content in task.before:
            http.post(path, json=content).raise_for_status()
        run = converse(model, Tools(http), task.request)
    return Outcome(task, run, task.failures(run))


def table(outcomes: Iterable[Outcome]) -> str:
    """Return a Markdown table with a line for each task; a column without rules has a dash."""
    heads = ["task", *COLUMNS]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    lines += [f"| {' | '.join([outcome.task.name, *_cells(outcome)])} |" for outcome in outcomes]
    return "\n".join(lines)


def _cells(outcome: Outcome) -> Iterator[str]:
    broken = {rule.column for rule in outcome.failures}
    checked = {rule.column for rule in outcome.task.rules}
    for column in COLUMNS:
        yield ("no" if column in broken else "yes") if column in checked else "–"
