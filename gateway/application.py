"""The WSGI application: match a route, ask the authorizer, run the function, answer.

Handlers expect one event at a time in a process, as on Lambda: run it with one thread in each worker.
"""

import base64
import importlib
import sys
import time
import uuid
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from gateway.event import BodyTooLarge, body_of, event_of, path_of
from gateway.template import GatewayRoute, Template, load
from gateway.verdicts import Verdicts

__all__ = ["Gateway", "application"]

Answer = tuple[int, dict[str, str], bytes]


class Gateway:
    """A WSGI application that answers as API Gateway would, with the handlers of a template's functions."""

    def __init__(self, template: Template) -> None:
        self._template = template
        self._handlers = {
            name: importlib.import_module(f"functions.{name}.app").handler
            for name in {template.authorizer, *(route.function for route in template.routes)}
        }
        self._verdicts = Verdicts(self._handlers[template.authorizer], template.authorizer_seconds)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        started = time.perf_counter()
        path = path_of(environ)
        route, parameters = self._match(environ["REQUEST_METHOD"], path)
        request_id = str(uuid.uuid4())
        status, headers, body = self._answer(environ, path, route, parameters, request_id)
        # The resource, not the path: a path may name a company.
        call = f"{environ['REQUEST_METHOD']} {route.resource if route else '-'}"
        took = (time.perf_counter() - started) * 1000
        print(f"{time.strftime('%H:%M:%S')} {call} {status} {took:.0f} ms {request_id}", file=sys.stderr)
        if status not in {204, 304}:
            headers = {**headers, "Content-Length": str(len(body))}
        start_response(f"{status} {HTTPStatus(status).phrase}", list(headers.items()))
        return [body]

    def _match(self, method: str, path: str) -> tuple[GatewayRoute | None, dict[str, str]]:
        for route in self._template.routes:
            if route.method in {method, "ANY"} and (found := route.pattern.match(path)):
                return route, found.groupdict()
        return None, {}

    def _answer(
        self,
        environ: dict[str, Any],
        path: str,
        route: GatewayRoute | None,
        parameters: dict[str, str],
        request_id: str,
    ) -> Answer:
        try:
            body = body_of(environ)
        except BodyTooLarge:
            return self._error("REQUEST_TOO_LARGE", request_id)
        if route is None:
            if environ["REQUEST_METHOD"] == "OPTIONS" and self._is_known(path):
                return self._preflight(request_id)
            return self._error("MISSING_AUTHENTICATION_TOKEN", request_id)
        event = event_of(environ, body, route.resource, parameters, request_id)
        refusal = self._authorize(event, request_id) if route.requires_key else None
        return self._error(refusal, request_id) if refusal else self._run(route, event, request_id)

    def _is_known(self, path: str) -> bool:
        return any(route.pattern.match(path) for route in self._template.routes)

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
            log_failure(request_id, error)
            return "AUTHORIZER_FAILURE"
        if context is None:
            return "ACCESS_DENIED"
        event["requestContext"]["authorizer"] = context
        return None

    def _run(self, route: GatewayRoute, event: dict[str, Any], request_id: str) -> Answer:
        try:
            result = self._handlers[route.function](event, None)
        except Exception as error:
            log_failure(request_id, error)
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
        headers = {
            name: value.strip("'") if value.startswith("'") else request_id
            for name, value in error.headers.items()
        }
        body = error.body.replace("$context.requestId", request_id)
        return error.status, headers, body.encode()


def log_failure(request_id: str, error: Exception) -> None:
    """Print the exception's class, without its message, which may quote the caller."""
    print(f"{request_id} ended in {type(error).__name__}", file=sys.stderr)


def application() -> Gateway:
    """The gateway for the project's template; a WSGI server calls this once in each worker."""
    return Gateway(load())
