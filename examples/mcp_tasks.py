"""Looks up twenty companies by a task of MCP, asks for it until it has ended, and ends it if interrupted.

pip install "mcp>=2.3"; BRSKILLS_URL and BRSKILLS_API_KEY choose service and key (a task needs your own).
"""

import asyncio
import os
from typing import Literal

import httpx2
from mcp.client import ClaimContext, Client, ClientExtension, ResultClaim
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, EmptyResult, Request, Result

BASE = os.environ.get("BRSKILLS_URL", "http://127.0.0.1:8000")
KEY = os.environ.get("BRSKILLS_API_KEY", "brsk_demo00000000000000000000000000001gbZMd")
CNPJS = """33000167000101 00000000000191 00360305000104 33592510000154 60701190000104 60746948000112
90400888000142 47960950000121 07526557000100 71673990000177 34028316000103 07689002000189 84429695000111
33611500000119 92754738000162 18236120000158 33657248000189 00348003000110 33683111000107 42422253000101"""


class Task(Result):
    task_id: str
    status: str  # working, then completed, failed or cancelled
    poll_interval_ms: int = 2000
    result: CallToolResult | None = None


class NewTask(Task):
    result_type: Literal["task"]


class TaskRequest(Request[dict[str, str], Literal["tasks/get", "tasks/cancel"]]):
    name_param = "taskId"  # the Mcp-Name header repeats it


class Tasks(ClientExtension):
    identifier = "io.modelcontextprotocol/tasks"

    def claims(self) -> list[ResultClaim[NewTask]]:
        return [ResultClaim(result_type="task", model=NewTask, resolve=wait_for)]


async def wait_for(task: Task, context: ClaimContext) -> CallToolResult:
    """Return the result of a task, which call_tool then returns."""
    params, send = {"taskId": task.task_id}, context.session.send_request
    try:
        while task.status == "working":
            await asyncio.sleep(task.poll_interval_ms / 1000)
            task = await send(TaskRequest(method="tasks/get", params=params), Task)
            print(task.status)
    except asyncio.CancelledError:  # Ctrl+C
        await send(TaskRequest(method="tasks/cancel", params=params), EmptyResult)
        raise
    if task.result is None:
        raise RuntimeError(f"the task is {task.status}")
    return task.result


async def main() -> None:
    """Print the states of the task, and how many companies were found."""
    async with (
        httpx2.AsyncClient(headers={"X-API-Key": KEY}) as http,
        Client(streamable_http_client(f"{BASE}/mcp", http_client=http), extensions=[Tasks()]) as client,
    ):
        result = await client.call_tool("look_up_companies", {"cnpjs": CNPJS.split()})
        print("found:", sum(item["status"] == 200 for item in result.structured_content["resultados"]))


asyncio.run(main())
