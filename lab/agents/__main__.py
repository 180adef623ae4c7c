"""``python -m lab.agents MODEL``: give tasks to a model, and print what it did wrong and a table.

``MODEL`` is one of the service of chat completions at MODEL_URL, with the key in MODEL_API_KEY, or
``scripted``. Texts of tools are improved by the tasks for tuning; ``--report`` runs the others and writes
their table to docs/evidence/agents.md.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import click

from lab.agents.chat_completions import ChatCompletions
from lab.agents.evaluation import Outcome, perform, table
from lab.agents.model import Model, ModelError
from lab.agents.register import service
from lab.agents.scripted import ScriptedModel
from lab.agents.scripts import RIGHT
from lab.agents.task import Task
from lab.agents.tasks import TASKS
from lab.bench.table import DOCS, keep

SCRIPTED = "scripted"
_NO_MODEL = "**No language model was run**: `scripted` follows right scripts, so the tasks can be done.\n\n"


@click.command(help=__doc__)
@click.argument("model")
@click.option("--report", is_flag=True, help="run the tasks that are reported, and write their table")
def main(model: str, report: bool) -> None:
    half = "reported" if report else "tuning"
    try:
        model_of = _model_of(model)
        with tempfile.TemporaryDirectory() as folder, service(Path(folder)) as base:
            outcomes = [_performed(task, model_of, base) for task in TASKS if task.half == half]
    except ModelError as error:
        sys.exit(f"{model}: {error}")
    written = summary(model, outcomes)
    if report:
        keep("evaluation", written, DOCS / "evidence/agents.md")
    else:
        print(written)


def _model_of(name: str) -> Callable[[Task], Model]:
    if name == SCRIPTED:
        return lambda task: ScriptedModel(RIGHT[task.name])
    real = ChatCompletions.from_environment(name)
    return lambda _: real


def _performed(task: Task, model_of: Callable[[Task], Model], base: str) -> Outcome:
    outcome = perform(task, model_of(task), base)
    for rule in outcome.failures:
        print(f"{task.name}: {rule.name}", file=sys.stderr)
    if outcome.failures:
        print(*(f"  {call.tool} {call.arguments}" for call in outcome.run.calls), sep="\n", file=sys.stderr)
        print(f"  {outcome.run.answer!r}", file=sys.stderr)
    return outcome


def summary(model: str, outcomes: Sequence[Outcome]) -> str:
    """Return the day, how many tasks were done right, and the table."""
    right = sum(not outcome.failures for outcome in outcomes)
    note = _NO_MODEL if model == SCRIPTED else ""
    return f"{note}{model}, {date.today()}: {right} of {len(outcomes)} tasks.\n\n{table(outcomes)}"


if __name__ == "__main__":
    main()
