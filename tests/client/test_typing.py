"""A caller's program passes strict type checking."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.services.gateway import ROOT

PROGRAM = """
import asyncio
from typing import assert_type

from brskills import AsyncClient, Batch, Client, Company, PixCode, Usage
from brskills.pix import Charge


def at_once(client: Client, charge: Charge) -> None:
    assert_type(client.company("191", idade_maxima=3), Company)
    assert_type(client.create_pix_code(**charge), PixCode)
    assert_type(client.create_pix_codes([charge]), Batch[PixCode])
    client.company("191", colour=1)  # type: ignore[call-arg]
    client.company(None)  # type: ignore[arg-type]


async def awaited(client: AsyncClient) -> None:
    assert_type(await client.company(191), Company)
    assert_type(await asyncio.gather(client.company(191), client.usage()), tuple[Company, Usage])
    async with asyncio.TaskGroup() as group:
        assert_type(await group.create_task(client.usage()), Usage)


assert_type(asyncio.run(AsyncClient().usage()), Usage)
"""


def test_a_strict_program(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file=",
            "--cache-dir=.mypy_cache/users",
            tmp_path / "program.py",
        ],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": "clients/python/src:layers/shared"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
