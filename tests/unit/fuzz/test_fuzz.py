"""``make fuzz`` in small: the same inputs at every run find nothing, and each fault that is planted."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from brskills_server.registry.providers import fetcher
from taxid import cnpj
from tests.fuzz.answers import open_answers
from tests.fuzz.codes import open_codes
from tests.fuzz.driving import Open, drive
from tests.fuzz.numbers import open_numbers
from tests.services.gateway import ROOT

SEED = "the same at every run"
TARGETS: list[tuple[Callable[[], Open], int]] = [
    (open_codes, 1_500),
    (open_numbers, 1_500),
    (open_answers, 300),
]


@pytest.mark.parametrize(("opened", "inputs"), TARGETS)
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
    monkeypatch.setattr(fetcher, "MALFORMED", ())
    monkeypatch.setattr(fetcher, "_FAILURES", (TimeoutError,))
    assert found(open_answers, 100)


def found(opened: Any, inputs: int) -> dict[str, int]:
    with opened() as target:
        return drive(target, SEED, 0, least=inputs).faults


PROGRAM = """
import os, sys
from random import Random
from tests.fuzz import routes
from tests.fuzz.driving import Open, drive
{planted}
for opened, inputs in ((routes.open_routes, 400), (routes.open_sign_in, 150), (routes.open_messages, 200)):
    with opened() as target:
        print(*drive(target, "the same at every run", 0, least=inputs).faults, sep="\\n", flush=True)
os._exit(0)
"""
PLANTED = """
import brskills_server.web.skill_routes as skill_routes
skill_routes.read_json = lambda *_, **__: {}["x"]
"""


def through_the_routes(planted: str) -> list[str]:
    """The faults that requests show, in a separate process with separate services."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(planted=planted)],
        cwd=ROOT,
        env={"PYTHONPATH": "layers/shared:.", "PATH": "/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in done.stdout.splitlines() if line]


def test_no_request_finds_anything() -> None:
    assert through_the_routes("") == []


def test_a_route_that_fails_is_found() -> None:
    faults = through_the_routes(PLANTED)
    assert any("POST /api/v1/skills/pix after KeyError" in fault for fault in faults)
