"""Running a skill as a tool, for the key or access token that is sent, and counted as over HTTP."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from threading import BoundedSemaphore
from typing import Any

from brskills_server.accounts.grant import Grant
from brskills_server.agents.results import DATA_MARK, ToolResult, success
from brskills_server.metering.session import Session
from brskills_server.skills.answer_size import MAX_ANSWER_BYTES, check_size
from brskills_server.skills.errors import ApiError
from brskills_server.skills.skill import Skill
from brskills_server.web.request import Request
from brskills_server.web.response import rate_headers
from brskills_server.web.sessions import Sessions

SLOW_CALLS = 16
"""Concurrent calls of slow tools (look-ups and custom skills) in one process, so that threads remain for the
others; a function on AWS runs one call at a time."""

_ENVELOPE_BYTES = 100_000
"""Part of an answer's limit for what the protocol adds to a result, the message's id above all. A result that
does not fit must be refused while its call can still be released."""

_slow_slots = BoundedSemaphore(SLOW_CALLS)


def tool_runner(sessions: Sessions) -> Callable[[Skill, Mapping[str, Any], Request], ToolResult]:
    """Return a function that runs a skill as a tool and raises what ``Sessions.run_skill`` raises.

    It also raises ``InvalidToken``, and ``ApiError`` ``missing_api_key``, ``insufficient_scope`` and
    ``throttled``.
    """

    def run(skill: Skill, arguments: Mapping[str, Any], request: Request) -> ToolResult:
        request.outcome.part = skill.part
        if not request.api_key:
            raise ApiError("missing_api_key")
        if request.access_token:
            session, grant = sessions.of_token(request.access_token, request)
            _check_scope(skill, grant)
        else:
            session = sessions.of_key(request.api_key, request)
        present = partial(_result, skill, session, request.language)
        return sessions.run_skill(skill, session, request, lambda: dict(arguments), present, _slot_for(skill))

    return run


def _check_scope(skill: Skill, grant: Grant) -> None:
    if skill.scope not in grant.scopes:
        scopes = " ".join(sorted({*grant.scopes, skill.scope}))
        raise ApiError("insufficient_scope", parameters={"scope": skill.scope}, details={"scopes": scopes})


@contextmanager
def _slot_for(skill: Skill) -> Iterator[None]:
    if not skill.uses_external_data and skill.seconds is None:
        yield
        return
    if not _slow_slots.acquire(blocking=False):
        raise ApiError("throttled", retry_after=1)
    try:
        yield
    finally:
        _slow_slots.release()


def _result(skill: Skill, session: Session, language: str, found: Any) -> ToolResult:
    draw = skill.forms.get("image/png")
    picture = draw(found) if draw else None
    png = picture if isinstance(picture, bytes) else None
    headers = rate_headers(session.quota, replayed=session.replayed)
    mark = DATA_MARK[language] if skill.quotes_others else ""
    result = success(skill.content(found), headers, png, mark=mark)
    check_size(json.dumps(result.content, ensure_ascii=False), MAX_ANSWER_BYTES - _ENVELOPE_BYTES)
    return result
