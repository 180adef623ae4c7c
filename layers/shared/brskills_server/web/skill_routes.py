"""HTTP routes of skills, made from their declarations: POST and PATCH read body and path, others the URL."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import unquote

from brskills_server.metering.session import Session
from brskills_server.proofs.proof import MEDIA_TYPE as PROOF_TYPE
from brskills_server.skills.custom import CUSTOM, ROUTE
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import FieldIssue, issue
from brskills_server.skills.shape import Shape, check_shape
from brskills_server.skills.skill import BODY_METHODS, NO_CONTENT, Endpoint, Skill
from brskills_server.web.body import MAX_BODY_BYTES, read_json
from brskills_server.web.request import Request
from brskills_server.web.response import Response, rate_headers
from brskills_server.web.sessions import Sessions
from brskills_server.web.validators import is_current

_IN_QUERY = {
    "pt": "Parâmetro desconhecido no endereço. Envie os campos no corpo, em JSON.",
    "en": "Unknown parameter in the address. Send the fields in the body, as JSON.",
}

Routes = dict[tuple[str, str], Callable[[Request], Response]]


def skill_routes(sessions: Sessions, *skills: Skill) -> Routes:
    """Return the routes of skills, each of which needs a key."""

    def handler(skill: Skill, endpoint: Endpoint) -> Callable[[Request], Response]:
        reads_address = endpoint.method not in BODY_METHODS or "{" in endpoint.path
        part, fields = skill.part, skill.query_shapes if reads_address else {}

        def answer(request: Request) -> Response:
            request.outcome.part = part  # first: without a session, too, this call may have failed
            return _answer(sessions, skill, sessions.of(request), request, fields)

        return answer

    return {
        (endpoint.method, endpoint.path): handler(skill, endpoint)
        for skill in skills
        for endpoint in skill.endpoints
    }


def custom_routes(sessions: Sessions) -> Routes:
    """Return the route of all custom skills; one that the caller may not use is an unknown route."""

    def answer(request: Request) -> Response:
        request.outcome.part = CUSTOM
        session, skill = sessions.of_custom_skill(request.path_parameters["skill"], request)
        return _answer(sessions, skill, session, request, {})

    return {("POST", ROUTE): answer}


def _answer(
    sessions: Sessions, skill: Skill, session: Session, request: Request, fields: Mapping[str, Shape]
) -> Response:
    read = partial(_read, skill, session, request, fields)
    respond = partial(_respond, sessions, skill, session, request)
    return sessions.run_skill(skill, session, request, read, respond)


def _read(skill: Skill, session: Session, request: Request, fields: Mapping[str, Shape]) -> dict[str, Any]:
    if len(request.body) > MAX_BODY_BYTES:  # reading it is most of the work: refuse before it
        session.allowance.check(session.caller)
    if request.route[0] not in BODY_METHODS:
        return _read_address(fields, request)
    if request.query:
        raise InvalidRequest(*(FieldIssue(name, "unknown_field", _IN_QUERY) for name in request.query))
    content = read_json(request, optional=not skill.needs_body, most=skill.body_bytes)
    return content | _read_path(fields, request, content) if fields else content


def _respond(sessions: Sessions, skill: Skill, session: Session, request: Request, found: Any) -> Response:
    headers = rate_headers(session.quota, replayed=session.replayed)
    forms = [*skill.forms, *([PROOF_TYPE] if skill.is_provable else [])]
    media_type = request.accepted_of(["application/json", *forms]) if forms else ""
    vary = "Accept, Accept-Language" if forms else "Accept-Language"
    if skill.validator and media_type != PROOF_TYPE:
        tag = skill.validator(found)
        headers |= {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": vary}
        if is_current(tag, request.headers.get("if-none-match", "")):
            return Response(304, "", headers)
    else:
        headers |= {"Cache-Control": "no-store", "Vary": vary}
    if media_type == PROOF_TYPE:
        proof = sessions.prove(skill.write(found), session, request)
        return Response(200, proof, {"Content-Type": PROOF_TYPE, **headers})
    form, status = skill.forms.get(media_type), skill.status(found)
    if status == NO_CONTENT:
        return Response(status, "", headers)
    if form is None:
        return Response(status, skill.write(found), {"Content-Type": "application/json", **headers})
    headers |= {header: text for header, write in skill.remarks.items() if (text := write(found))}
    charset = "; charset=utf-8" if media_type == "text/plain" else ""
    return Response(200, form(found), {"Content-Type": media_type + charset, **headers})


def _read_path(fields: Mapping[str, Shape], request: Request, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields in the path. Raise ``InvalidRequest`` if the body's content has one of them too."""
    found = {name: unquote(value) for name, value in request.path_parameters.items()}
    if found.keys() & content.keys():
        others = {name: shape for name, shape in fields.items() if name not in found}
        raise InvalidRequest(*check_shape(others, content))
    return found


def _read_address(fields: Mapping[str, Shape], request: Request) -> dict[str, Any]:
    """Return the content of a request from path and query; nothing where it has no fields.

    Raise ``InvalidRequest`` for a query parameter that is in the path too.
    """
    if not fields:
        return {}
    content: dict[str, Any] = {name: unquote(value) for name, value in request.path_parameters.items()}
    for name, values in request.query.items():
        if name in request.path_parameters:
            known = ", ".join(field for field in fields if field not in content)
            raise InvalidRequest(issue(name, "unknown_field", known=known))
        content[name] = fields[name].from_query(values) if name in fields else values[-1]
    return content
