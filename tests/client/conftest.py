"""Fixtures: waits are recorded instead of slept, and no settings come from the environment."""

from __future__ import annotations

import asyncio
import io
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills import AsyncClient, Client, keyfile
from brskills.command import search, shell
from brskills.command.main import run
from brskills.lote import run as lote_run
from tests.client.answering import KEY, URL, Service, problem

Ended = tuple[int, str, str]
TABLE = "Nome;CNPJ\nA;33000167000101\nB;360305000104\nC;3,3E+13\n=D;33.000.167/0001-01\n"


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The recorded waits in seconds."""
    noted: list[float] = []
    rest = asyncio.sleep

    async def note(seconds: float) -> None:
        noted.append(seconds)
        await rest(0)

    monkeypatch.setattr(time, "sleep", noted.append)
    monkeypatch.setattr(asyncio, "sleep", note)
    return noted


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(keyfile, "KEY_FILE", tmp_path / "home" / "key")
    for name in ("BRSKILLS_API_KEY", "BRSKILLS_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a table on an English system."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.setenv("BRSKILLS_URL", URL)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.csv").write_text(TABLE)
    return tmp_path


@pytest.fixture
def ended(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command line against answers. Return its exit code and output."""

    def end(*arguments: str, answer: Any = None, given: str = "", key: str = KEY) -> Ended:
        monkeypatch.setenv("BRSKILLS_API_KEY", key)
        monkeypatch.setattr(sys, "stdin", io.StringIO(given))
        serve = Service(answer) if isinstance(answer, (httpx.Response, Exception)) else answer
        transport = httpx.MockTransport(serve or Service(problem(418, "teapot")))
        monkeypatch.setattr(shell, "Client", partial(Client, transport=transport, retries=0))
        monkeypatch.setattr(lote_run, "AsyncClient", partial(AsyncClient, transport=transport))
        monkeypatch.setattr(search, "AsyncClient", partial(AsyncClient, transport=transport, retries=0))
        capsys.readouterr()
        code = run(arguments)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        assert r"\n" not in err
        assert KEY not in out + err
        return code, out, err

    return end
