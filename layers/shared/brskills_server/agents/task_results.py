"""Tasks as results of the protocol (extension ``io.modelcontextprotocol/tasks``, 2026-07-28)."""

import json
from datetime import UTC, datetime
from typing import Any

from brskills_server.tasks.task import COMPLETED, FAILED, Task

_PROGRESS = {"pt": "{} de {} empresas", "en": "{} of {} companies"}

POLL_MS = 2_000
"""The interval at which a client should ask."""


def created(task: Task) -> dict[str, Any]:
    """Return the result of a call that became a task."""
    return {"resultType": "task", **_described(task)}


def detailed(task: Task, language: str) -> dict[str, Any]:
    """Return the result of ``tasks/get``: how much is done, in ``pt`` or ``en``, or how the task ended."""
    described = _described(task)
    if task.is_working and task.outcome:
        described["statusMessage"] = _PROGRESS[language].format(*json.loads(task.outcome))
    if task.status == COMPLETED:
        described["result"] = json.loads(task.outcome)
    elif task.status == FAILED:
        described["error"] = json.loads(task.outcome)
        described["statusMessage"] = described["error"]["message"]
    return described


def _described(task: Task) -> dict[str, Any]:
    return {
        "taskId": task.id,
        "status": task.status,
        "createdAt": _moment(task.created_at),
        "lastUpdatedAt": _moment(task.updated_at),
        "ttlMs": (task.expires_at - task.created_at) * 1000,
        "pollIntervalMs": POLL_MS,
    }


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
