"""The ASGI application: read a whole request, match its route, authorize it, run the function in a thread."""

import asyncio
import base64
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from brskills_server import telemetry
from brskills_server.gateway.answer import Answer, alive, problem
from brskills_server.gateway.authorizer_cache import AuthorizerCache
from brskills_server.gateway.body import Body, Disconnected, InvalidRequest, Receive, Scope
from brskills_server.gateway.event import build_event
from brskills_server.gateway.head import check_head
from brskills_server.gateway.log import log_call, log_failure
from brskills_server.gateway.template import GatewayRoute, Template, load_handler
from brskills_server.gateway.thread_pool import PoolFull, ThreadPool
from brskills_server.telemetry.figures import REFUSALS, REQUESTS, UNDER_WAY
from brskills_server.telemetry.outcome import LOG_FIELDS

LIVE = "/livez"
"""Answered by the event loop, without a thread: the worker is alive, though its store may be out of reach."""

_HEALTH = "/api/v1/health"
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Gateway:
    """An ASGI application that answers as API Gateway would, by the handlers of a template's functions.

    ``is_draining``: the health check fails and each answer ends its connection, so that load balancers choose
    another gateway. ``shut_down`` is called in a thread after the last request; it raises nothing.
    ``is_proxy``: as in `build_event`.
    """

    def __init__(
        self,
        template: Template,
        is_draining: Callable[[], bool] = lambda: False,
        shut_down: Callable[[], None] = lambda: None,
        is_proxy: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._template = template
        self._is_draining = is_draining
        self._shut_down = shut_down
        self._is_proxy = is_proxy
        functions = {route.function for route in template.routes}
        self._handlers = {name: load_handler(name) for name in {template.authorizer, *functions}}
        self._authorizer = AuthorizerCache(self._handlers[template.authorizer], template.authorizer_seconds)
        self._pools = {name: ThreadPool(name) for name in functions}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or follow the server's start and stop."""
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await asyncio.to_thread(self._shut_down)
            await send({"type": "lifespan.shutdown.complete"})
        else:
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        request_id = str(uuid.uuid4())
        log_fields: dict[str, int] = {}
        body = Body(scope, receive)
        telemetry.add(UNDER_WAY, 1)
        try:
            resource, answer = await self._answer(scope, body, request_id, log_fields)
        except Disconnected:
            return
        finally:
            telemetry.add(UNDER_WAY, -1)
        status, headers, content = answer
        method = scope["method"] if scope["method"] in _METHODS else "-"  # clients may send any text
        telemetry.observe(REQUESTS, time.perf_counter() - started, method, resource, str(status))
        log_call(f"{method} {resource}", status, started, request_id, log_fields)
        if status not in {204, 304}:
            headers = {**headers, "Content-Length": str(len(content))}
        if self._is_draining():
            headers = {**headers, "Connection": "close"}
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": encoded})
        if not body.is_complete:
            await send({"type": "http.response.body", "body": content, "more_body": True})
            await body.discard()
            content = b""
        await send({"type": "http.response.body", "body": content})

    async def _answer(
        self, scope: Scope, body: Body, request_id: str, log_fields: dict[str, int]
    ) -> tuple[str, Answer]:
        """Return resource (a path may name a company) and answer; the function adds ``log_fields``."""
        resource = "-"
        try:
            check_head(scope)
            route, parameters = self._match(scope["method"], scope["path"])
            resource = route.resource if route else "-"
            content = await body.read()
        except InvalidRequest as error:
            telemetry.count(REFUSALS, error.code)
            return resource, problem(error.code, request_id)
        if scope["path"] == LIVE and scope["method"] in {"GET", "HEAD"}:
            return LIVE, alive(request_id)
        if route is None:
            return self._answer_unrouted(scope["method"], scope["path"], request_id)
        if resource == _HEALTH and self._is_draining():
            return resource, self._error("AUTHORIZER_FAILURE", request_id)
        event = build_event(scope, content, resource, parameters, request_id, self._is_proxy)
        event[LOG_FIELDS] = log_fields
        try:
            pool = self._pools[route.function]
            return resource, await pool.run(lambda: self._call(route, event, request_id))
        except PoolFull:
            return resource, self._error("THROTTLED", request_id)

    def _match(self, method: str, path: str) -> tuple[GatewayRoute | None, dict[str, str]]:
        # As API Gateway does: if a path lacks the method, a more general path that has it matches.
        for route in self._template.routes:
            if route.method in {method, "ANY"} and (found := route.pattern.match(path)):
                return route, found.groupdict()
        return None, {}

    def _answer_unrouted(self, method: str, path: str, request_id: str) -> tuple[str, Answer]:
        if method == "OPTIONS" and any(route.pattern.match(path) for route in self._template.routes):
            cors = self._template.cors
            headers = {
                "Access-Control-Allow-Origin": cors["AllowOrigin"],
                "Access-Control-Allow-Methods": cors["AllowMethods"],
                "Access-Control-Allow-Headers": cors["AllowHeaders"],
                "Access-Control-Max-Age": cors["MaxAge"],
                "X-Request-Id": request_id,
            }
            return "-", (200, headers, b"")
        return "-", self._error("MISSING_AUTHENTICATION_TOKEN", request_id)

    def _call(self, route: GatewayRoute, event: dict[str, Any], request_id: str) -> Answer:
        """Run authorizer and function, in a thread."""
        if route.requires_key and (kind := self._authorize(event, request_id)):
            return self._error(kind, request_id)
        try:
            result = self._handlers[route.function](event, None)
        except Exception as error:
            log_failure(request_id, error)
            return self._error("DEFAULT_5XX", request_id)
        body = result.get("body") or ""
        content = base64.b64decode(body) if result.get("isBase64Encoded") else body.encode()
        return result["statusCode"], result["headers"], content

    def _authorize(self, event: dict[str, Any], request_id: str) -> str | None:
        """Put the authorizer's context into the event. Return the type of the gateway response if denied."""
        key = event["headers"].get("X-Api-Key", "")
        if not key:
            return "UNAUTHORIZED"
        try:
            context = self._authorizer.context_of(key, event)
        except Exception as error:
            if str(error) == "Unauthorized":
                return "UNAUTHORIZED"
            log_failure(request_id, error)
            return "AUTHORIZER_FAILURE"
        if context is None:
            return "ACCESS_DENIED"
        event["requestContext"]["authorizer"] = context
        return None

    def _error(self, kind: str, request_id: str) -> Answer:
        """Return the template's gateway response of a type."""
        error = self._template.errors[kind]
        telemetry.count(REFUSALS, error.code)
        headers = {
            name: value.strip("'") if value.startswith("'") else request_id
            for name, value in error.headers.items()
        }
        return error.status, headers, error.body.replace("$context.requestId", request_id).encode()
