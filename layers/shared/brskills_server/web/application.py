"""The Lambda handler of a function: find the route, run it, turn every error into a problem, log one line."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools import Logger

from brskills_server import telemetry
from brskills_server.accounts.errors import NothingSold, StoreUnavailable
from brskills_server.skills.custom_errors import FaultySkills, SkillFailed
from brskills_server.skills.errors import ApiError, classify
from brskills_server.telemetry.figures import BY_DESIGN, REFUSALS
from brskills_server.telemetry.outcome import LOG_FIELDS, Tally, record_outcome
from brskills_server.web.places import places_of
from brskills_server.web.problems import internal_error, problem_of, render
from brskills_server.web.request import Request
from brskills_server.web.response import Response

_LOGGED_MESSAGES = (StoreUnavailable, SkillFailed, FaultySkills)
"""Errors whose messages are made here and quote no caller."""


class Application:
    """Lambda handler over a table of routes. Its log line holds nothing of the caller.

    ``routes``: method and path template, as ``("GET", "/api/v1/skills/cnpj/{cnpj+}")`` → handler.
    ``tally``: counts the calls of skills, if there are any; written after the answer's work.
    ``support_contact``: as in ``Settings``, for the problem of an unexpected error.
    """

    def __init__(
        self,
        service: str,
        routes: Mapping[tuple[str, str], Callable[[Request], Response]],
        tally: Tally | None = None,
        support_contact: str = "",
    ) -> None:
        self._logger = Logger(service=service)
        self._tally = tally
        self._support_contact = support_contact
        self.routes = routes

    def __call__(self, event: dict[str, Any], _context: object) -> dict[str, Any]:
        """Answer one event; never raises."""
        started = time.perf_counter()
        request = Request(event)
        request.report = lambda error: self._report(request, error)
        code = None
        try:
            try:
                response = self._respond(request)
            except Exception as error:  # the last resort: whatever happens, a caller gets a problem
                code, response = self._problem(request, error)
            fields = record_outcome(request.outcome, self._tally)
            event.get(LOG_FIELDS, {}).update(fields)
            self._logger.info(
                "call",
                route=" ".join(request.route),
                status=response.status,
                code=code,
                milliseconds=round((time.perf_counter() - started) * 1000, 1),
                request_id=request.id,
                **fields,
            )
            result = response.as_proxy_result(request.id)
            if self._tally:
                self._tally.flush_if_due()
            return result
        finally:
            telemetry.flush()

    def _respond(self, request: Request) -> Response:
        method, path = request.route
        # HEAD is GET (RFC 9110 §9.3.2); the server that sends the answer leaves out its body.
        handler = self.routes.get(("GET" if method == "HEAD" else method, path))
        if handler is None:
            raise ApiError("not_found")
        return handler(request)

    def _problem(self, request: Request, error: Exception) -> tuple[str, Response]:
        """Return the problem for an error, by its code and as a response."""
        request.outcome.end_with(classify(error))
        problem = problem_of(error)
        if problem is None or isinstance(error, StoreUnavailable):
            self._report(request, error)
        problem = problem or internal_error(self._support_contact)
        telemetry.count(REFUSALS, problem.code)
        if problem.status >= 500 and _nothing_failed(error):
            telemetry.count(BY_DESIGN)
        return problem.code, render(problem, request.id, request.language)

    def _report(self, request: Request, error: Exception) -> None:
        # A message may quote what a caller sent, so in general only the error's class and place are logged.
        self._logger.error(
            "failure",
            error=type(error).__name__,
            reason=str(error) if isinstance(error, _LOGGED_MESSAGES) else None,
            where=places_of(error.__traceback__),
            request_id=request.id,
        )


def _nothing_failed(error: Exception) -> bool:
    """Whether any caller can cause this answer at will, so that it must raise no alarm."""
    if isinstance(error, ApiError):
        return error.nothing_failed or error.repeated
    return isinstance(error, NothingSold)
