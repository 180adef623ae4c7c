"""What is stored of a call that became a task, and the events by which a process runs it."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

from brskills_server.agents.extensions import RUN_ROUTE
from brskills_server.skills.perform import IDEMPOTENCY_HEADER
from brskills_server.tasks.task import Task
from brskills_server.web.request import Request

KEY_HEADER = IDEMPOTENCY_HEADER.lower()


class TaskRequest(NamedTuple):
    """A call: the ``event`` of its request without body and credentials, the tool's name and arguments.

    ``key``: the digest of the caller's key; ``grant``: the id of the access token's grant, or empty.
    """

    event: dict[str, Any]
    tool: str
    arguments: Mapping[str, Any]
    key: str
    grant: str

    def write(self) -> str:
        """Return it as JSON; the reverse of :meth:`of`."""
        return json.dumps(self)

    @classmethod
    def of(cls, task: Task) -> Self:
        """Return the request of a task that is working."""
        return cls(*json.loads(task.request))

    def call(self, task: Task) -> Request:
        """Return the call's request, counted once under its own ``Idempotency-Key`` or else the task's id."""
        return Request({**self.event, "headers": {KEY_HEADER: task.id, **self.event["headers"]}})


def run_event(task: Task) -> dict[str, Any]:
    """Return the event by which a process runs a task that was started; the API has no such method."""
    method, resource = RUN_ROUTE
    identifier = TaskRequest.of(task).event["requestContext"].get("requestId", "")
    return {
        "httpMethod": method,
        "resource": resource,
        "requestContext": {"requestId": identifier},
        "body": json.dumps({"account": task.account, "name": task.id, "version": task.version}),
    }
