"""A worker's process, where no other worker of uvicorn's is needed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from unittest.mock import MagicMock

import pytest

from brskills_server.gateway import server


@pytest.fixture
def interval() -> Iterator[None]:
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("interval")
@pytest.mark.parametrize(("before", "after"), [(0.005, server.SWITCH_SECONDS), (0.0001, 0.0001)])
def test_threads_of_a_worker_switch_soon(
    monkeypatch: pytest.MonkeyPatch, before: float, after: float
) -> None:
    for name in ("gc", "Gateway", "Schedule", "load", "log_uncaught_errors", "open_services", "worker_jobs"):
        monkeypatch.setattr(server, name, MagicMock())
    sys.setswitchinterval(before)
    settings = MagicMock(metrics_at=("", 0))
    server.Worker(settings, MagicMock(), ())()
    server.gc.freeze.assert_called_once_with()  # type: ignore[attr-defined]
    assert sys.getswitchinterval() == pytest.approx(after, rel=0.05)
