"""The command: without a key it says which one; the table that is written is of the reported tasks."""

from __future__ import annotations

import os
import subprocess
import sys

from lab.agents.__main__ import SCRIPTED, summary
from lab.agents.conversation import Run
from lab.agents.evaluation import COLUMNS, Outcome
from lab.agents.rules import Rule
from lab.agents.tasks import TASKS
from lab.bench.table import DOCS
from tests.services.gateway import ROOT

REPORTED = [task for task in TASKS if task.half == "reported"]


def test_without_a_key_a_real_model_is_refused_at_once() -> None:
    others = {name: value for name, value in os.environ.items() if name != "MODEL_API_KEY"}
    command = [sys.executable, "-m", "lab.agents", "some-model"]
    env = {**others, "PYTHONPATH": "layers/shared:clients/python/src"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == ("some-model: MODEL_API_KEY is needed: the key of a service of chat completions\n")


def test_a_table_says_what_was_run_and_what_did_not_hold() -> None:
    wrong = Rule("arguments", "x", lambda _: False)
    right, failed = (Outcome(REPORTED[0], Run((), ""), failures) for failures in ([], [wrong]))
    text = summary("some-model", [right, failed])
    assert "1 of 2 tasks." in text
    assert "No language model" not in text
    assert text.splitlines()[-2:] == [
        f"| {REPORTED[0].name} | yes | yes | – | yes |",
        f"| {REPORTED[0].name} | yes | no | – | yes |",
    ]
    assert "No language model was run" in summary(SCRIPTED, [right])


def test_the_document_has_the_reported_tasks() -> None:
    text = (DOCS / "evidence/agents.md").read_text(encoding="utf-8")
    table = text.partition("<!-- evaluation -->")[2].partition("<!-- /evaluation -->")[0]
    rows = [line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.startswith("| ")]
    assert rows == ["task", *(task.name for task in REPORTED)]
    assert f"| task | {' | '.join(COLUMNS)} |" in table
