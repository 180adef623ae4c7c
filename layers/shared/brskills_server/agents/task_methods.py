"""The methods of tasks, for any key or token of the account that made the call."""

from collections.abc import Callable, Mapping
from typing import Any

from brskills_server.accounts.account import Caller
from brskills_server.agents.message import HEADER_MISMATCH, INVALID_PARAMS, Message, RpcError
from brskills_server.agents.task_requests import TaskRequest
from brskills_server.agents.task_results import detailed
from brskills_server.agents.tools import Tools, check_scope
from brskills_server.tasks.task import Task
from brskills_server.tasks.tasks import Tasks, UnknownTask
from brskills_server.web.request import Request


class TaskMethods:
    """``tasks/get``, ``tasks/update`` and ``tasks/cancel``, by name in ``methods``.

    They raise ``RpcError``, and as ``Tools.open``, ``tools.check_scope``, ``Allowance.take_of_minute`` and
    ``Tasks`` do.
    """

    def __init__(self, tasks: Tasks, tools: Tools) -> None:
        self._tasks = tasks
        self._tools = tools
        self.methods: Mapping[str, Callable[[Message, Request], dict[str, Any]]] = {
            "tasks/get": self._method(self._get),
            "tasks/update": self._method(self._update),
            "tasks/cancel": self._method(self._cancel),
        }

    def _method(
        self, answer: Callable[[Task, Caller, str], dict[str, Any]]
    ) -> Callable[[Message, Request], dict[str, Any]]:
        """Return a method that answers for the task of a message, which the caller may read."""

        def run(message: Message, request: Request) -> dict[str, Any]:
            name = _name_of(message, request)
            session, grant = self._tools.open(request)
            session.allowance.take_of_minute(session.caller)
            try:
                task = self._tasks.find(session.caller.account, name)
                check_scope(task.scope, grant)
                return answer(task, session.caller, request.language)
            except UnknownTask:
                raise RpcError(INVALID_PARAMS, "Unknown task: it never was, or has expired") from None

        return run

    def _get(self, task: Task, caller: Caller, language: str) -> dict[str, Any]:
        def request() -> str:  # by an active key: that of the run before may have ended
            return TaskRequest.of(task)._replace(key=caller.key).write()

        return detailed(self._tasks.resume(task, request), language)

    def _update(self, _task: Task, _caller: Caller, _language: str) -> dict[str, Any]:
        """Acknowledge: no task asks its client for anything, and what it did not ask for is ignored."""
        return {}

    def _cancel(self, task: Task, _caller: Caller, _language: str) -> dict[str, Any]:
        self._tasks.cancel(task.account, task.id)
        return {}


def _name_of(message: Message, request: Request) -> str:
    """Return the id of a message's task."""
    name = message.params.get("taskId")
    if not isinstance(name, str):
        raise RpcError(INVALID_PARAMS, "taskId must be a string")
    if request.headers.get("mcp-name", "").strip() != name:
        raise RpcError(HEADER_MISMATCH, f"The mcp-name header must repeat the body's {name!a}")
    return name
