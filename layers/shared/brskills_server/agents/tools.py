"""Running a skill as a tool, for the key or access token that is sent, and counted as over HTTP."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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


class Tools:
    """Runs skills as tools in ``sessions``. Methods raise what ``Sessions.run_skill`` raises."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def run(self, skill: Skill, arguments: Mapping[str, Any], request: Request) -> ToolResult:
        """Answer a call.

        Raise also ``InvalidKey``, ``InvalidToken``, and ``ApiError`` ``missing_api_key``,
        ``insufficient_scope`` and ``throttled``.
        """
        request.outcome.part = skill.part
        session, grant = self._open(request)
        _check_scope(skill.scope, grant)

        def present(found: Any) -> ToolResult:
            result = _result(skill, session, request.language, found)
            check_size(json.dumps(result.content, ensure_ascii=False), MAX_ANSWER_BYTES - _ENVELOPE_BYTES)
            return result

        return self._sessions.run_skill(
            skill, session, request, lambda: dict(arguments), present, _slot_for(skill)
        )

    def _open(self, request: Request) -> tuple[Session, Grant | None]:
        """Return the session of a request, and the grant of its access token."""
        if not request.api_key:
            raise ApiError("missing_api_key")
        if request.access_token:
            return self._sessions.of_token(request.access_token, request)
        return self._sessions.of_key(request.api_key, request), None


def _check_scope(scope: str, grant: Grant | None) -> None:
    """Raise ``ApiError`` ``insufficient_scope`` for a token that lacks a scope; a key has all."""
    if grant and scope not in grant.scopes:
        scopes = " ".join(sorted({*grant.scopes, scope}))
        raise ApiError("insufficient_scope", parameters={"scope": scope}, details={"scopes": scopes})


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
    return success(skill.content(found), headers, png, mark=mark)
