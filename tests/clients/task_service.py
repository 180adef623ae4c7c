"""A gateway with the tools that the conformance suite calls for tasks, behind a relay that sends a key."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.clients.stating_relay import stating_relay
from tests.fakes import task_skills
from tests.services.gateway import gateway
from tests.services.packages import declare, python_path


@contextmanager
def task_service(folder: Path) -> Iterator[str]:
    """Yield the address of its MCP server; the package of skills is laid into ``folder``."""
    shutil.copy(task_skills.__file__, folder / "task_skills.py")
    declare(folder, "task-skills", {name: f"task_skills:{place}" for name, place in task_skills.ALL.items()})
    plans = ",".join(f"{name}=free" for name in task_skills.ALL)
    with gateway(SKILL_PLANS=plans, STORE="memory", **python_path(folder)) as base:
        key = httpx.post(f"{base}/api/v1/keys").json()["api_key"]
        with stating_relay(f"{base}/mcp", headers={"X-API-Key": key}) as relay:
            yield relay
