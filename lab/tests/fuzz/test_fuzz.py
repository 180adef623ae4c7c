"""``make fuzz`` in small: the same inputs at every run find nothing, and each fault that is planted."""

import subprocess
import sys
from typing import Any

import pytest

from brskills_server.registry.providers import client
from lab.fuzz.answers import open_answers
from lab.fuzz.codes import open_codes
from lab.fuzz.driving import drive
from lab.fuzz.numbers import open_numbers
from taxid import cnpj
from tests.services.gateway import ROOT

pytestmark = pytest.mark.thorough

SEED = "the same at every run"


@pytest.mark.parametrize(
    ("opened", "inputs"), [(open_codes, 1_500), (open_numbers, 1_500), (open_answers, 300)]
)
def test_nothing_is_found(opened: Any, inputs: int) -> None:
    with opened() as target:
        figures = drive(target, SEED, 0, least=inputs)
    assert (figures.runs, figures.faults) == (inputs, {})


def test_a_checksum_that_nobody_holds_against_the_text_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["brcode.decode"], "check_crc", lambda _payload: None)
    assert any("AssertionError at codes.py" in fault for fault in found(open_codes, 1_500))


def test_a_check_digit_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cnpj, "is_valid", lambda number: len(number) == 14)
    assert any("AssertionError at numbers.py" in fault for fault in found(open_numbers, 300))


def test_an_answer_that_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "MALFORMED", ())
    monkeypatch.setattr(client, "_FAILURES", (TimeoutError,))
    assert found(open_answers, 100)


def found(opened: Any, inputs: int) -> dict[str, int]:
    with opened() as target:
        return drive(target, SEED, 0, least=inputs).faults


PROGRAM = """
import os
from lab.fuzz import routes
from lab.fuzz.driving import drive
for opened, inputs in ((routes.open_sign_in, 150), (routes.open_messages, 200), (routes.open_routes, 400)):
    with opened() as target:
        print(*drive(target, "the same at every run", 0, least=inputs).faults, sep="\\n")
import brskills_server.web.skill_routes as skill_routes
skill_routes.read_json = lambda *_, **__: {}["x"]
print("planted:")
print(*drive(target, "the same at every run", 0, least=400).faults, sep="\\n", flush=True)
os._exit(0)
"""


def test_requests_show_a_planted_fault_alone() -> None:
    done = subprocess.run(  # in a process with separate services
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={"PYTHONPATH": "layers/shared:.", "PATH": "/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    clean, _, planted = done.stdout.partition("planted:")
    assert clean.split() == []
    assert "POST /api/v1/skills/pix after KeyError" in planted
