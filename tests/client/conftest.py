"""Fixtures: waits are recorded instead of slept, and no settings come from the environment."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from brskills import keyfile


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
