"""The methods of tasks, for any key or token of the account that made the call."""

from collections.abc import Callable, Mapping
from typing import Any

from brskills_server.accounts.errors import InvalidKey, InvalidToken
from brskills_server.agents.message import HEADER_MISMATCH, INVALID_PARAMS, Message, RpcError
from brskills_server.agents.results import unauthorized
from brskills_server.agents.task_results import detailed
from brskills_server.agents.tools import Tools, check_scope
from brskills_server.runtime.settings import Settings
from brskills_server.skills.errors import ApiError
from brskills_server.tasks.task import Task
from brskills_server.tasks.tasks import Tasks, UnknownTask
from brskills_server.web.problems import problem_of
from brskills_server.web.request import Request


class TaskMethods:
    """``tasks/get``, ``tasks/update`` and ``tasks/cancel``, by name in ``methods``."""

    def __init__(self, tasks: Tasks, tools: Tools, settings: Settings) -> None:
        self._tasks = tasks
        self._tools = tools
        self._settings = settings
        self.methods: Mapping[str, Callable[[Message, Request], dict[str, Any]]] = {
            "tasks/get": self._get,
            "tasks/update": self._update,
            "tasks/cancel": self._cancel,
        }

    def _get(self, message: Message, request: Request) -> dict[str, Any]:
        return detailed(self._find(message, request, self._tasks.read))

    def _update(self, message: Message, request: Request) -> dict[str, Any]:
        """Acknowledge: no task asks its client for anything, and what it did not ask for is ignored."""
        self._find(message, request, self._tasks.find)
        return {}

    def _cancel(self, message: Message, request: Request) -> dict[str, Any]:
        task = self._find(message, request, self._tasks.find)
        self._tasks.cancel(task.account, task.id)
        return {}

    def _find(self, message: Message, request: Request, find: Callable[[str, str], Task]) -> Task:
        """Return the task of a message by ``find``. Raise ``RpcError``, and as ``Sessions`` do."""
        name = message.params.get("taskId")
        if not isinstance(name, str):
            raise RpcError(INVALID_PARAMS, "taskId must be a string")
        if request.headers.get("mcp-name", "").strip() != name:
            raise RpcError(HEADER_MISMATCH, f"The mcp-name header must repeat the body's {name!a}")
        try:
            session, grant = self._tools.open(request)
            session.allowance.take_of_minute(session.caller)
            task = find(session.caller.account, name)
            check_scope(task.scope, grant)
        except UnknownTask:
            raise RpcError(INVALID_PARAMS, "Unknown task: it never was, or has expired") from None
        except (InvalidKey, ApiError) as error:
            is_token = isinstance(error, InvalidKey) and request.access_token
            problem = problem_of(InvalidToken() if is_token else error)
            assert problem  # noqa: S101, for mypy: both have one
            raise unauthorized(problem, request, self._settings) from None
        return task
