"""The tasks of a deployment's tools."""

from collections.abc import Callable
from typing import Any

from brskills_server.accounts.account import Caller
from brskills_server.agents.task_methods import TaskMethods
from brskills_server.agents.task_requests import run_event
from brskills_server.agents.task_runs import GIVEN_UP, TaskRuns
from brskills_server.agents.tool_methods import ToolTasks
from brskills_server.agents.tools import Tools
from brskills_server.runtime.background import open_background
from brskills_server.runtime.services import Services
from brskills_server.skills.skill import Skill
from brskills_server.tasks.tasks import Tasks
from brskills_server.web.sessions import Sessions


def open_tool_tasks(
    services: Services, tools: Tools, sessions: Sessions, handler: Callable[[dict[str, Any], Any], object]
) -> ToolTasks:
    """Return the tasks; ``handler``: of the function that runs them, by ``extensions.RUN_ROUTE``."""
    start = open_background(handler)
    tasks = Tasks(
        services.store, lambda task: start(run_event(task)), lambda task: runs.release(task), GIVEN_UP
    )

    def custom_skills(caller: Caller) -> dict[str, Skill]:
        found: dict[str, Skill] = services.custom_skills.of(services.accounts.own(caller))
        return found

    runs = TaskRuns(tasks, tools, sessions, services.settings, custom_skills)
    return ToolTasks(runs, TaskMethods(tasks, tools).methods)
