"""Fixtures: waits are recorded instead of slept, and no settings come from the environment."""

from __future__ import annotations

import asyncio
import time

import pytest


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
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BRSKILLS_API_KEY", "BRSKILLS_URL"):
        monkeypatch.delenv(name, raising=False)
