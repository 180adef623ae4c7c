"""The ASGI application: read a whole request, match its route, ask the authorizer, run the function."""

import base64
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from brskills_server import telemetry
from brskills_server.gateway.answer import Answer, alive, problem
from brskills_server.gateway.authorizer_cache import AuthorizerCache
from brskills_server.gateway.event import event_of
from brskills_server.gateway.lifespan import live
from brskills_server.gateway.log import report_call, report_failure
from brskills_server.gateway.request import Disconnected, Receive, Refused, read_body
from brskills_server.gateway.template import GatewayRoute, Template, load_handler
from brskills_server.gateway.threads import AllBusy, Threads
from brskills_server.telemetry.figures import REFUSALS, REQUESTS, UNDER_WAY
from brskills_server.telemetry.outcome import LOG_FIELDS

__all__ = ["LIVE", "Gateway"]

_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

LIVE = "/livez"
"""Answered by the event loop itself: a worker that answers it is alive, whatever its threads wait for."""

_HEALTH = "/api/v1/health"

Scope = Mapping[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Gateway:
    """An ASGI application that answers as API Gateway would, with the handlers of a template's functions.

    ``is_draining``: whether the gateway is about to stop. It answers all the same, but says that it is not
    healthy, and ends every connection with its answer, so that whoever is in front of it goes elsewhere.
    ``at_end``: see ``brskills_server.gateway.lifespan``.
    """

    def __init__(
        self,
        template: Template,
        is_draining: Callable[[], bool] = lambda: False,
        at_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._template = template
        self._is_draining = is_draining
        self._at_end = at_end
        self._handlers = {
            name: load_handler(name)
            for name in {template.authorizer, *(route.function for route in template.routes)}
        }
        self._verdicts = AuthorizerCache(self._handlers[template.authorizer], template.authorizer_seconds)
        self._threads = {route.function: Threads(route.function) for route in template.routes}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or see to the server's end."""
        if scope["type"] == "lifespan":
            await live(receive, send, self._at_end)
        else:
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        request_id = str(uuid.uuid4())
        told: dict[str, int] = {}
        telemetry.add(UNDER_WAY, 1)
        try:
            resource, (status, headers, body) = await self._answer(scope, receive, request_id, told)
        except Disconnected:
            return
        finally:
            telemetry.add(UNDER_WAY, -1)
        method = scope["method"] if scope["method"] in _METHODS else "-"  # anything may be sent in its place
        telemetry.observe(REQUESTS, time.perf_counter() - started, method, resource, str(status))
        report_call(f"{method} {resource}", status, started, request_id, told)
        if status not in {204, 304}:
            headers = {**headers, "Content-Length": str(len(body))}
        if self._is_draining():
            headers = {**headers, "Connection": "close"}
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": encoded})
        await send({"type": "http.response.body", "body": body})

    def _match(self, method: str, path: str) -> tuple[GatewayRoute | None, dict[str, str]]:
        # As API Gateway does: where a path has no such method, a more general one that has it is taken.
        for route in self._template.routes:
            if route.method in {method, "ANY"} and (found := route.pattern.match(path)):
                return route, found.groupdict()
        return None, {}

    async def _answer(
        self, scope: Scope, receive: Receive, request_id: str, told: dict[str, int]
    ) -> tuple[str, Answer]:
        """The resource that was asked for, and the answer. Not the path: a path may name a company.

        ``told`` is where the function puts what the log is to tell.
        """
        route, parameters = self._match(scope["method"], scope["path"])
        resource = route.resource if route else "-"
        try:
            body = await read_body(scope, receive)
        except Refused as refused:
            telemetry.count(REFUSALS, refused.code)
            return resource, problem(refused.code, request_id)
        if route is None:
            return self._answer_itself(scope["method"], scope["path"], request_id)
        if resource == _HEALTH and self._is_draining():
            return resource, self._error("AUTHORIZER_FAILURE", request_id)
        event = event_of(scope, body, resource, parameters, request_id) | {LOG_FIELDS: told}
        try:
            threads = self._threads[route.function]
            return resource, await threads.run(lambda: self._call(route, event, request_id))
        except AllBusy:
            return resource, self._error("THROTTLED", request_id)

    def _answer_itself(self, method: str, path: str, request_id: str) -> tuple[str, Answer]:
        if path == LIVE and method in {"GET", "HEAD"}:
            return LIVE, alive(request_id)
        if method == "OPTIONS" and self._is_known(path):
            return "-", self._preflight(request_id)
        return "-", self._error("MISSING_AUTHENTICATION_TOKEN", request_id)

    def _is_known(self, path: str) -> bool:
        return any(route.pattern.match(path) for route in self._template.routes)

    def _call(self, route: GatewayRoute, event: dict[str, Any], request_id: str) -> Answer:
        """Authorizer and function, one after the other in a thread."""
        refusal = self._authorize(event, request_id) if route.requires_key else None
        return self._error(refusal, request_id) if refusal else self._run(route, event, request_id)

    def _authorize(self, event: dict[str, Any], request_id: str) -> str | None:
        """Ask the authorizer and put its context into the event.

        Returns the gateway response's type where the call is refused, ``None`` where it may go on.
        """
        key = event["headers"].get("X-Api-Key", "")
        if not key:
            return "UNAUTHORIZED"
        try:
            context = self._verdicts.context_of(key, event)
        except Exception as error:
            if str(error) == "Unauthorized":
                return "UNAUTHORIZED"
            report_failure(request_id, error)
            return "AUTHORIZER_FAILURE"
        if context is None:
            return "ACCESS_DENIED"
        event["requestContext"]["authorizer"] = context
        return None

    def _run(self, route: GatewayRoute, event: dict[str, Any], request_id: str) -> Answer:
        try:
            result = self._handlers[route.function](event, None)
        except Exception as error:
            report_failure(request_id, error)
            return self._error("DEFAULT_5XX", request_id)
        body = result.get("body") or ""
        content = base64.b64decode(body) if result.get("isBase64Encoded") else body.encode()
        return result["statusCode"], result["headers"], content

    def _preflight(self, request_id: str) -> Answer:
        cors = self._template.cors
        return (
            200,
            {
                "Access-Control-Allow-Origin": cors["AllowOrigin"],
                "Access-Control-Allow-Methods": cors["AllowMethods"],
                "Access-Control-Allow-Headers": cors["AllowHeaders"],
                "Access-Control-Max-Age": cors["MaxAge"],
                "X-Request-Id": request_id,
            },
            b"",
        )

    def _error(self, kind: str, request_id: str) -> Answer:
        error = self._template.errors[kind]
        telemetry.count(REFUSALS, error.code)
        headers = {
            name: value.strip("'") if value.startswith("'") else request_id
            for name, value in error.headers.items()
        }
        body = error.body.replace("$context.requestId", request_id)
        return error.status, headers, body.encode()
