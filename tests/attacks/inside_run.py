"""Programs of ``inside``, which run on the code of the attacked checkout in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.attacks.target import Context, environment_of

__all__ = ["run_inside"]

PROGRAMS = Path(__file__).parent / "inside"
SECONDS = 300


def run_inside(context: Context, program: str, *arguments: str) -> Any:
    """The JSON that a program prints last; raises RuntimeError with its errors."""
    done = subprocess.run(
        [sys.executable, str(PROGRAMS / f"{program}.py"), *arguments],
        cwd=context.checkout,
        env=environment_of(context.checkout),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{program} ended with {done.returncode}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])
