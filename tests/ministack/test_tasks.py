"""Tasks of agents on MiniStack: the function has itself run them by events."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.ministack.conftest import sign_up
from tests.services.task_host import TaskHost
from tests.simulator.companies import numbers


@pytest.fixture
def host(base: str) -> Iterator[TaskHost]:
    with httpx.Client(base_url=base, timeout=60) as http:
        yield TaskHost(http, {"X-API-Key": sign_up(base)["api_key"]})


def test_the_function_runs_a_task_by_an_event(host: TaskHost) -> None:
    task = host.look_up(numbers("77222333", 11))
    assert (task["resultType"], task["status"]) == ("task", "working")
    done = host.ended(task["taskId"])
    assert done["status"] == "completed"
    entries = done["result"]["structuredContent"]["resultados"]
    assert [entry["status"] for entry in entries] == [200] * 11
    assert host.calls() == 11


def test_a_task_is_cancelled(host: TaskHost) -> None:
    task = host.look_up(numbers("77222444", 11))["taskId"]
    host.ask("tasks/cancel", taskId=task)
    assert host.get(task)["status"] in {"cancelled", "completed"}  # it may have ended before
