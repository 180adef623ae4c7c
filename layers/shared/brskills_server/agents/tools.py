"""Running a skill as a tool: for the key or access token that is sent, counted as over HTTP."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any

from brskills_server.accounts.grant import Grant
from brskills_server.agents.results import DATA_MARK, ToolResult, success
from brskills_server.metering.session import Session
from brskills_server.skills.answer_size import MAX_ANSWER_BYTES, check_size
from brskills_server.skills.errors import ApiError
from brskills_server.skills.outcomes import track_request
from brskills_server.skills.skill import Call, Skill, perform
from brskills_server.web.rates import rate_headers, replay_header
from brskills_server.web.request import Request
from brskills_server.web.sessions import Sessions, taking_allowance

__all__ = ["WAITING_OUTSIDE", "tool_runner"]

WAITING_OUTSIDE = 16
"""Calls of tools that may take long, at once in one process: what waits for providers, and custom skills.
Where threads are shared, other tools go on whatever these do; a function on AWS runs one call at a time."""

_ENVELOPE_BYTES = 100_000
"""Of an answer, for what the protocol adds to a result: the id of the message, which is of a body of 16 KiB.
A result that does not fit must be refused while its call can still be released."""

_outside = BoundedSemaphore(WAITING_OUTSIDE)


def tool_runner(sessions: Sessions) -> Callable[[Skill, Mapping[str, Any], Request], ToolResult]:
    """A function that runs a skill as a tool; it raises what ``brskills_server.skills.skill.perform`` raises.

    It also raises ``InvalidToken``, and ``ApiError`` ``missing_api_key`` and ``insufficient_scope``.
    """

    def run(skill: Skill, arguments: Mapping[str, Any], request: Request) -> ToolResult:
        with track_request(request.calls, skill.part):
            return identified(skill, arguments, request)

    def identified(skill: Skill, arguments: Mapping[str, Any], request: Request) -> ToolResult:
        if not request.api_key:
            raise ApiError("missing_api_key")
        if not request.access_token:
            return answer(skill, arguments, request, sessions.of_key(request.api_key, request))
        session, grant = sessions.of_token(request.access_token, request)
        _check_scope(skill, grant)
        try:
            return answer(skill, arguments, request, session)
        finally:
            sessions.tell(grant, session, request)

    def answer(skill: Skill, arguments: Mapping[str, Any], request: Request, session: Session) -> ToolResult:
        call = sessions.call(session, request)
        with taking_allowance(session, request), _room_for(skill):
            return perform(skill, dict(arguments), call, lambda found: _result(skill, found, call))

    return run


def _check_scope(skill: Skill, grant: Grant) -> None:
    if skill.scope not in grant.scopes:
        scopes = " ".join(sorted({*grant.scopes, skill.scope}))
        raise ApiError("insufficient_scope", parameters={"scope": skill.scope}, details={"scopes": scopes})


@contextmanager
def _room_for(skill: Skill) -> Iterator[None]:
    if not skill.uses_external_data and skill.seconds is None:
        yield
        return
    if not _outside.acquire(blocking=False):
        raise ApiError("throttled", retry_after=1)
    try:
        yield
    finally:
        _outside.release()


def _result(skill: Skill, found: Any, call: Call) -> ToolResult:
    draw = skill.forms.get("image/png")
    picture = draw(found) if draw else None
    png = picture if isinstance(picture, bytes) else None
    headers = rate_headers(call.session.quota) | replay_header(call.session.replayed)
    mark = DATA_MARK[call.language] if skill.quotes_others else ""
    result = success(skill.content(found), headers, png, mark=mark)
    check_size(json.dumps(result.content, ensure_ascii=False), MAX_ANSWER_BYTES - _ENVELOPE_BYTES)
    return result
