"""The progress of ``brskills lote`` on standard error."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import httpx
import pytest

from brskills.lote import progress
from tests.client.batches import Batches


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lines shown so far, one every millisecond."""
    found = list[int]()
    show = progress.Progress._show

    def count(self: progress.Progress) -> None:
        found.append(self._done)
        show(self)

    monkeypatch.setattr(progress, "_LINE_SECONDS", 0.001)
    monkeypatch.setattr(progress, "_TERMINAL_SECONDS", 0.001)
    monkeypatch.setattr(progress.Progress, "_show", count)
    return found


def slow(shown: list[int]) -> Any:
    """Return a service that answers after three more lines of progress."""
    batches = Batches()

    async def answer(request: httpx.Request) -> httpx.Response:
        until = len(shown) + 3
        while len(shown) < until:
            await asyncio.sleep(0)
        return batches(request)

    return answer


def test_first_words_precede_the_first_request(ended: Any, capsys: pytest.CaptureFixture[str]) -> None:
    said, batches = list[str](), Batches()

    def answer(request: httpx.Request) -> httpx.Response:
        said.append(capsys.readouterr().err)
        return batches(request)

    assert ended("lote", "c.csv", answer=answer)[0] == 0
    assert said[0].splitlines() == ["reading c.csv", "4 rows, column CNPJ"]


def test_lines_go_on_while_a_batch_is_not_answered(ended: Any, shown: list[int]) -> None:
    code, _, err = ended("lote", "c.csv", "--lang", "pt", answer=slow(shown))
    assert code == 0
    assert err.splitlines()[2:5] == ["0 de 2 respondidos (0 s)"] * 3


def test_a_terminal_has_a_counter_in_one_line(
    ended: Any, shown: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda _stream: True)
    code, _, err = ended("lote", "c.csv", answer=slow(shown))
    assert code == 0
    assert err.count("\n") == 3
    assert "\r0 of 2 answered (0 s)\r0 of 2 answered (0 s)" in err
    assert err.endswith("\r2 of 2 answered (0 s)\n")


@pytest.mark.parametrize("option", ["--quiet", "-q", "--json"])
@pytest.mark.parametrize("terminal", [True, False])
def test_no_progress_if_it_is_of_no_use(
    ended: Any, shown: list[int], monkeypatch: pytest.MonkeyPatch, option: str, terminal: bool
) -> None:
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda _stream: terminal)
    assert ended("lote", "c.csv", option, answer=slow(shown))[2] == ""
