"""Skills over HTTP: from a declaration to its routes.

GET takes the request from path and query, POST from the body. The form of the answer follows ``Accept``; an
answer with a validator may be 304 (RFC 9110 §13).
"""

from collections.abc import Callable
from typing import Any

from brskills_server.metering.session import Session
from brskills_server.skills.custom import CUSTOM, ROUTE
from brskills_server.skills.outcomes import track_request
from brskills_server.skills.skill import Skill, perform
from brskills_server.web.address import read_address
from brskills_server.web.body import MAX_BODY_BYTES, read_json
from brskills_server.web.rates import rate_headers, replay_header
from brskills_server.web.request import Request
from brskills_server.web.response import Response
from brskills_server.web.sessions import Sessions, taking_allowance

__all__ = ["custom_routes", "skill_routes"]


def skill_routes(sessions: Sessions, *skills: Skill) -> dict[tuple[str, str], Callable[[Request], Response]]:
    """The routes of skills, each of which needs a key."""
    return {
        (endpoint.method, endpoint.path): _watched(
            sessions.require_allowance(_handler(skill, sessions)), skill.part
        )
        for skill in skills
        for endpoint in skill.endpoints
    }


def custom_routes(sessions: Sessions) -> dict[tuple[str, str], Callable[[Request], Response]]:
    """The route of all custom skills: one that its caller may not use is as one that is not there."""

    def answer(request: Request) -> Response:
        session, skill = sessions.for_custom_skill(request.path_parameters["skill"], request)
        with taking_allowance(session, request):
            return _answer(skill, sessions, request, session)

    return {("POST", ROUTE): _watched(answer, CUSTOM)}


def _watched(handler: Callable[[Request], Response], part: str) -> Callable[[Request], Response]:
    """A route of skills of a part of the service: what becomes of a request as a whole is told too."""

    def run(request: Request) -> Response:
        with track_request(request.calls, part):
            return handler(request)

    return run


def _handler(skill: Skill, sessions: Sessions) -> Callable[[Request, Session], Response]:
    return lambda request, session: _answer(skill, sessions, request, session)


def _answer(skill: Skill, sessions: Sessions, request: Request, session: Session) -> Response:
    is_get = request.route[0] == "GET"
    if len(request.body) > MAX_BODY_BYTES:  # to read it takes most of the work, so that is not begun
        session.allowance.check(session.caller)
    content = (
        read_address(skill.whole_numbers, request) if is_get else read_json(request, most=skill.body_bytes)
    )
    call = sessions.call(session, request)
    return perform(skill, content, call, lambda found: _respond(skill, found, request, session))


def _respond(skill: Skill, found: Any, request: Request, session: Session) -> Response:
    headers = rate_headers(session.quota) | replay_header(session.replayed)
    if skill.validator:
        tag = skill.validator(found)
        headers |= {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Accept-Language"}
        if _is_known(tag, request.headers.get("if-none-match", "")):
            return Response(304, "", headers)
    else:
        vary = "Accept, Accept-Language" if skill.forms else "Accept-Language"
        headers |= {"Cache-Control": "no-store", "Vary": vary}
    form = skill.forms.get(request.accept)
    if form is None:
        return Response(200, skill.write(found), {"Content-Type": "application/json", **headers})
    headers |= {remark.header: text for remark in skill.remarks if (text := remark.text(found))}
    charset = "; charset=utf-8" if request.accept == "text/plain" else ""
    return Response(200, form(found), {"Content-Type": request.accept + charset, **headers})


def _is_known(tag: str, if_none_match: str) -> bool:
    """Weak comparison (RFC 9110 §13.1.2)."""
    tags = {known.strip().removeprefix("W/") for known in if_none_match.split(",")}
    return "*" in tags or tag.removeprefix("W/") in tags
