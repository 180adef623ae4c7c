"""The command as a process: encodings, closed streams and interruptions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.services.gateway import ROOT

START = "from brskills.command.entry import main; main()"
PATH = {"PYTHONPATH": f"{ROOT}/layers/shared:{ROOT}/clients/python/src"}
DECODE = ("decode", "--local")
CHARGE = ("pix", "--local", "--chave", "a@example.com", "--cidade", "B", "--nome-recebedor")


def run(
    *arguments: str, given: bytes | None = b"", settings: Mapping[str, str] | None = None, **streams: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run the command; ``given`` is its standard input."""
    if given is not None:
        streams["input"] = given
    return subprocess.run(
        [sys.executable, "-c", START, *arguments],
        env={**PATH, "PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8", **(settings or {})},
        check=False,
        timeout=60,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )


def test_invalid_utf_8_input() -> None:
    done = run(*DECODE, given=b"\xff\xfe")
    assert (done.returncode, done.stderr) == (5, b"")


@pytest.mark.parametrize(
    ("encoding", "arguments", "code"),
    [("ascii", ["--help"], 0), ("ascii", ["cnpj"], 2), ("latin-1", [*DECODE, "0002019901→9801\udcff"], 5)],
)
def test_output_encodings_without_some_characters(encoding: str, arguments: list[str], code: int) -> None:
    done = run(*arguments, settings={"PYTHONIOENCODING": f"{encoding}:strict", "LANG": "pt_BR"})
    assert b"Traceback" not in done.stderr
    assert done.returncode == code


def test_json_output_with_a_lone_surrogate() -> None:
    done = run(*DECODE, "--json", "0002019901\udcff")
    assert (done.returncode, done.stderr) == (5, b"")
    assert json.loads(done.stdout)["campos"]["desconhecidos"] == [{"id": "99", "valor": "\udcff"}]


@pytest.mark.parametrize(("closed", "extra"), [(0, []), (1, ["--json"]), (2, [])])
def test_closed_streams(closed: int, extra: list[str]) -> None:
    done = run(*DECODE, *extra, given=None, preexec_fn=lambda: os.close(closed))
    assert done.returncode == 5
    assert not done.stderr


@pytest.mark.parametrize(
    ("stream", "arguments", "code"),
    [("stdout", [*CHARGE, "A"], 0), ("stderr", [*CHARGE, "São"], 0), ("stderr", ["bogus"], 2)],
)
def test_closed_pipe_keeps_the_exit_code(stream: str, arguments: list[str], code: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = run(*arguments, **{stream: writer})
    os.close(writer)
    assert done.returncode == code
    assert b"Traceback" not in (done.stderr or b"")


def test_full_disk_is_reported() -> None:
    with Path("/dev/full").open("wb") as full:
        done = run(*CHARGE, "A", stdout=full)
    assert done.returncode == 1
    assert b"Exception ignored" not in done.stderr
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


def test_interruption_during_imports_exits_with_130() -> None:
    script = f"""
import sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
{START}
"""
    done = subprocess.run([sys.executable, "-c", script], env=PATH, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"")
