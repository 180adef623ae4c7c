"""E-mail addresses that hold a command: through sign-up, then on the operator's ``make admin ARGS=…``."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context

ADDRESSES = (
    "a$(touch${IFS}x)@example.com",
    "a$$(touch$${IFS}x)@example.com",
    "a`>x`@example.com",
    "a;>x;@example.com",
    "a&>x&@example.com",
    "$(shell>x)@example.com",
    "a'`>x`'@example.com",
)
PYTHON = '#!/bin/sh\nprintf "%s\\n" "$@" > arguments\n'
"""In the place of the environment's interpreter: nothing of ours runs, and what it is given is kept."""


def attack(context: Context) -> Iterator[Outcome]:
    with context.serving(SIGNUPS_PER_DAY="100") as target:
        caller = target.caller()
        taken = {
            address: caller.post("/api/v1/keys", {"email": address}).status == 201 for address in ADDRESSES
        }
        plain = caller.post("/api/v1/keys", {"email": "dev+x@exemplo.com.br"}).status
    ran = {address: _runs_something(context, address) for address in ADDRESSES}
    outcome = Outcome("shell_addresses", f"{len(ADDRESSES)} addresses that hold a command")
    outcome.spent = {
        "taken at sign-up": sum(taken.values()),
        "run by make": sum(ran.values()),
        "both": sum(taken[address] and ran[address] for address in ADDRESSES),
    }
    outcome.checks = [
        Check("addresses taken that hold a command", sum(taken.values()), most=0),
        Check("commands that ran", sum(ran.values()), most=0),
        Check("a plain address is taken", int(plain == 201), least=1),
    ]
    yield outcome


def _runs_something(context: Context, address: str) -> bool:
    """Whether ``make admin`` with an address among its arguments runs what is in it; in a fresh folder."""
    folder = context.fresh_folder()
    shutil.copy(context.checkout / "Makefile", folder)
    python = folder / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(PYTHON)
    python.chmod(0o755)
    (folder / ".venv/run.stamp").touch()
    before = _files(folder)
    subprocess.run(
        ["make", "-o", ".venv/run.stamp", "admin", f"ARGS=find {address}"],
        cwd=folder,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        timeout=30,
        check=False,
    )
    return bool(_files(folder) - before - {"arguments"})


def _files(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*")}
