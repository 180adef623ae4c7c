"""From a proxy event to an answer: find the route, run it, turn every failure into a problem.

API Gateway has already matched the path when a function is called, so a route is looked up by its
template (``resource``) and not matched a second time.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools import Logger

from brskills_server import telemetry
from brskills_server.accounts.errors import NothingSold, StoreUnavailable
from brskills_server.skills.errors import ApiError
from brskills_server.skills.failures import FaultySkills, SkillFailed
from brskills_server.telemetry.availability import FACTS
from brskills_server.telemetry.figures import BY_DESIGN, REFUSALS
from brskills_server.web.places import places_of
from brskills_server.web.problems import internal_error, problem_of, render
from brskills_server.web.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from brskills_server.telemetry.availability import Tally
    from brskills_server.web.response import Response

    Handler = Callable[[Request], Response]
    Routes = Mapping[tuple[str, str], Handler]

__all__ = ["Application"]

_TELLING = (StoreUnavailable, SkillFailed, FaultySkills)


class Application:
    """A Lambda handler over a table of routes. It logs one line a call, with nothing of the caller in it.

    ``routes``: method and path template, as ``("GET", "/api/v1/skills/cnpj/{cnpj+}")`` → handler.
    ``tally``: where calls of skills are counted; what it has to write it writes after the answer's work.
    """

    def __init__(self, service: str, routes: Routes, tally: Tally | None = None) -> None:
        self._logger = Logger(service=service)
        self._tally = tally
        self.routes = routes

    def __call__(self, event: dict[str, Any], _context: object) -> dict[str, Any]:
        """Answer one event; never raises."""
        try:
            return self._answer(event)
        finally:
            telemetry.flush()

    def _answer(self, event: dict[str, Any]) -> dict[str, Any]:
        started = time.perf_counter()
        request = Request(event)
        request.report = lambda error: self._report(request, error)
        code = None
        try:
            response = self._respond(request)
        except Exception as error:  # the last resort: whatever happens, a caller gets a problem
            problem = problem_of(error)
            if problem is None or isinstance(error, StoreUnavailable):
                self._report(request, error)
            problem = problem or internal_error()
            code = problem.code
            telemetry.count(REFUSALS, code)
            if problem.status >= 500 and _nothing_failed(error):
                telemetry.count(BY_DESIGN)
            response = render(problem, request.id, request.language)
        facts = self._count(request, event)
        self._logger.info(
            "call",
            route=" ".join(request.route),
            status=response.status,
            code=code,
            milliseconds=round((time.perf_counter() - started) * 1000, 1),
            request_id=request.id,
            **facts,
        )
        result = response.as_proxy_result(request.id)
        if self._tally:
            self._tally.flush_if_due()
        return result

    def _count(self, request: Request, event: dict[str, Any]) -> dict[str, Any]:
        """Count the calls of skills in a request; returns what logs tell of them."""
        if not self._tally:
            return {}
        self._tally.add(request.calls)
        facts = request.calls.facts
        event.get(FACTS, {}).update(facts)
        return facts

    def _respond(self, request: Request) -> Response:
        method, path = request.route
        # HEAD is GET (RFC 9110 §9.3.2); whoever sends the answer leaves out its body.
        handler = self.routes.get(("GET" if method == "HEAD" else method, path))
        if handler is None:
            raise ApiError("not_found")
        return handler(request)

    def _report(self, request: Request, error: Exception) -> None:
        # A message may quote what a caller sent, so only the kind of the error and its place are kept; the
        # message too where it is made by ourselves, of nothing that is a caller's.
        reason = str(error) if isinstance(error, _TELLING) else None
        self._logger.error(
            "failure",
            error=type(error).__name__,
            reason=reason,
            where=places_of(error.__traceback__),
            request_id=request.id,
        )


def _nothing_failed(error: Exception) -> bool:
    """Whether any caller gets this at will, so that no alarm may ring for it."""
    if isinstance(error, ApiError):
        return error.nothing_failed or error.repeated
    return isinstance(error, NothingSold)
