"""Shell completion, by the bash that is installed; zsh's and fish's scripts are only printed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from brskills.command.commands import commands
from brskills.command.language import texts_in
from tests.client.test_process import PATH, START, run


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with the command."""
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "brskills"
    command.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-c", START])} "$@"\n')
    command.chmod(0o755)
    return folder


def bash(programs: Path, script: str) -> list[str]:
    """Return the lines that bash writes."""
    done = subprocess.run(
        ["bash", "--norc", "-c", f'eval "$(brskills completion bash)"\n{script}'],
        env={**PATH, "PATH": f"{programs}:{os.environ['PATH']}", "LANG": "C.UTF-8"},
        cwd=programs,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.split()


def completed(programs: Path, *words: str) -> list[str]:
    """Return what bash's completion function offers for the last word."""
    line = f"COMP_WORDS=({shlex.join(['brskills', *words])}); COMP_CWORD={len(words)}"
    function = "$(complete -p brskills | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
    return bash(programs, f'compopt() {{ :; }}; {line}; {function} brskills; echo "${{COMPREPLY[@]}}"')


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["de"], ["decode"]),
        (["co"], ["conferir", "completion"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["uso", "--lang", ""], ["pt", "en"]),
        (["cnpj", "--idade"], ["--idade-maxima", "--idade-dados-maxima"]),
        (["bogus", ""], [name for name in commands(texts_in("en"), "en") if name != "vigiar"]),
    ],
)
def test_bash_offers_commands_options_and_choices(
    programs: Path, words: list[str], offered: list[str]
) -> None:
    assert completed(programs, *words) == offered


def test_a_tab_in_a_terminal_completes_the_command(programs: Path) -> None:
    parent, child = os.openpty()
    environment = {**PATH, "PATH": f"{programs}:{os.environ['PATH']}", "LANG": "C.UTF-8", "TERM": "dumb"}
    shell = subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"],
        stdin=child,
        stdout=child,
        stderr=child,
        env=environment,
        start_new_session=True,
    )
    os.close(child)
    os.write(parent, b'eval "$(brskills completion bash)"\n')
    os.write(parent, b"brskills comp\tfish; exit\n")
    shown = b""
    try:
        while part := os.read(parent, 4096):
            shown += part
    except OSError:  # the terminal is closed
        pass
    finally:
        os.close(parent)
    shell.wait()
    assert b"function _brskills_completion" in shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_call_the_command(shell: str) -> None:
    done = run("completion", shell)
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"_BRSKILLS_COMPLETE={shell}_complete".encode() in done.stdout
