"""Long calls of tools: made a task, and run by a process that is started for it (decision 08)."""

import json
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from brskills_server import telemetry
from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import InvalidKey, StoreUnavailable
from brskills_server.agents.message import INTERNAL_ERROR
from brskills_server.agents.results import ToolResult, failure
from brskills_server.agents.task_requests import KEY_HEADER, TaskRequest
from brskills_server.agents.task_results import created
from brskills_server.agents.tools import Tools, check_scope
from brskills_server.metering.session import Session
from brskills_server.runtime.settings import Settings
from brskills_server.skills.answer_size import too_large
from brskills_server.skills.catalogue import LONG_TOOLS, SKILLS
from brskills_server.skills.custom_errors import SkillFailed
from brskills_server.skills.errors import ApiError, classify
from brskills_server.skills.perform import fingerprint, prepare
from brskills_server.skills.skill import Skill
from brskills_server.tasks.task import COMPLETED, FAILED, MOST_OUTCOME_BYTES, Task
from brskills_server.tasks.tasks import Tasks
from brskills_server.telemetry.figures import REFUSALS
from brskills_server.web.problems import problem_of
from brskills_server.web.request import Request
from brskills_server.web.response import Response
from brskills_server.web.sessions import Sessions

GIVEN_UP = json.dumps({"code": INTERNAL_ERROR, "message": "The work was begun several times and never ended"})


class TaskEnded(ApiError):
    """A run ends without its task, which was cancelled, or is another run's; its calls are released."""

    def __init__(self) -> None:
        super().__init__("task_ended")


class TaskRuns:
    """``tool_methods.LongCalls``, and their runs.

    ``custom_skills``: those that an account may use now; raises ``InvalidKey`` or ``StoreUnavailable``.
    """

    def __init__(
        self,
        tasks: Tasks,
        tools: Tools,
        sessions: Sessions,
        settings: Settings,
        custom_skills: Callable[[Caller], Mapping[str, Skill]],
    ) -> None:
        self._tasks = tasks
        self._tools = tools
        self._sessions = sessions
        self._settings = settings
        self._custom_skills = custom_skills

    def begin(self, skill: Skill, arguments: Mapping[str, Any], request: Request) -> dict[str, Any] | None:
        """Make a call a task that takes long, is correct, and for which the month has room.

        Return ``None`` for all others, whose answer is the same as without tasks. Raise as ``Tools.open``,
        and ``ApiError`` ``insufficient_scope``.
        """
        request.outcome.part = skill.part
        session, grant = self._tools.open(request)
        check_scope(skill.scope, grant)
        caller = session.caller
        if caller.is_demo or not _takes_long(skill, arguments, session, request):
            return None
        session.allowance.take_of_minute(caller)
        name = grant.id if grant else ""
        try:
            kept = TaskRequest(request.repeatable(), skill.name, arguments, caller.key, name).write()
        except TypeError:  # a decimal number, which JSON would round
            return None
        task = self._tasks.create(caller.account, skill.scope, kept)
        return created(task) if task else None

    def run(self, request: Request) -> Response:
        """Run the task of an event, unless another process does or it has ended."""
        task = self._tasks.begin(**json.loads(request.body))
        if task:
            lease = _Lease(self._tasks, task)
            with suppress(TaskEnded):
                lease.end(*self._outcome(lease, request))
        return Response(204)

    def release(self, task: Task) -> None:
        """Release what runs of a task counted, which may be gone. Raise ``StoreUnavailable``."""
        kept = TaskRequest.of(task)
        call = kept.call(task)
        session = self._sessions.of_caller(Caller(task.account, kept.key), kept.grant, call)
        session.identify(call.headers[KEY_HEADER], fingerprint(kept.tool, dict(kept.arguments)))
        session.release_unanswered()

    def _outcome(self, lease: "_Lease", request: Request) -> tuple[str, dict[str, Any]]:
        """Return how a task ends: with the result of the call, also an error, or a failure of ours."""
        kept = TaskRequest.of(lease.task)
        call = kept.call(lease.task)
        call.outcome, call.report = request.outcome, request.report
        try:
            return COMPLETED, self._result(kept, call, lease).content
        except (StoreUnavailable, TaskEnded):
            raise
        except Exception as error:
            request.report(error)
            request.outcome.end_with(classify(error))
            details = {"code": INTERNAL_ERROR, "message": "Internal error", "data": {"request_id": call.id}}
            return FAILED, details

    def _result(self, kept: TaskRequest, call: Request, lease: "_Lease") -> ToolResult:
        """Return the result that the call would have been answered with. Raise what the service causes."""
        try:
            caller = Caller(lease.task.account, kept.key)
            skill = self._skill(kept.tool, caller)
            call.outcome.part = skill.part
            session = self._sessions.of_caller(caller, kept.grant, call)
            session.continues = lease.task.runs > 1
            session.between_parts = partial(lease.renew, session)
            return self._tools.run_in(session, skill, kept.arguments, call, check=lease.keep)
        except (StoreUnavailable, TaskEnded):
            raise
        except Exception as error:
            problem = problem_of(error)
            if problem is None:
                raise
            self.release(lease.task)  # also what a run before has counted
            call.outcome.end_with(classify(error))
            if isinstance(error, InvalidKey):  # a caller with an active key may have it run again
                self._tasks.give_back(lease.task)
                raise TaskEnded from None
            telemetry.count(REFUSALS, problem.code)
            return failure(problem, call, self._settings)

    def _skill(self, name: str, caller: Caller) -> Skill:
        if found := SKILLS.get(name) or LONG_TOOLS.get(name) or self._custom_skills(caller).get(name):
            return found
        raise ApiError("not_found")  # it was withdrawn meanwhile


class _Lease:
    """The right to run a task, which is renewed before each part of its work."""

    def __init__(self, tasks: Tasks, task: Task) -> None:
        self._tasks = tasks
        self.task = task
        self._has_ended = False

    def renew(self, session: Session, done: int, of: int) -> None:
        """Note how much is done. Raise ``TaskEnded``, and ``InvalidKey`` if the session's key has ended."""
        renewed = self._tasks.renew(self.task, json.dumps([done, of]))
        if renewed is None:
            raise TaskEnded
        self.task = renewed
        session.check_key()

    def keep(self, result: ToolResult) -> None:
        """End the task with a result. Raise ``ApiError`` for one that stores do not take.

        Its calls stay counted only then: those of a task that was cancelled before are released.
        """
        outcome = json.dumps(result.content)
        if len(zlib.compress(outcome.encode(), 1)) > MOST_OUTCOME_BYTES:
            raise too_large(wording=":too_large_task")
        self._end(COMPLETED, outcome)

    def end(self, status: str, content: dict[str, Any]) -> None:
        """End the task, unless its result is kept already. Raise ``TaskEnded``."""
        if not self._has_ended:
            self._end(status, json.dumps(content))

    def _end(self, status: str, outcome: str) -> None:
        """Raise ``TaskEnded`` if the task was cancelled or given to another run."""
        if not self._tasks.end(self.task, status, outcome):
            raise TaskEnded
        self._has_ended = True


def _takes_long(skill: Skill, arguments: Mapping[str, Any], session: Session, request: Request) -> bool:
    """Return whether a call takes long and, as far as can be seen, nothing refuses it."""
    try:
        prepared = prepare(skill, dict(arguments), request.headers.get(KEY_HEADER))
    except (ApiError, SkillFailed):
        return False
    is_long = skill.takes_long is not None and skill.takes_long(prepared)
    return is_long and session.has_room(int(skill.counts(prepared)))
