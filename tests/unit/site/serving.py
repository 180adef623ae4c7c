"""The site's function, as it is or loaded with other settings."""

import importlib.util
import os
from types import ModuleType
from typing import Any
from unittest import mock

from functions.site import app


def event(resource: str, path: str | None = None, query: str = "", **headers: str) -> dict[str, Any]:
    """A proxy event for a route of the site; header names have underscores for hyphens."""
    _, first, *names = resource.split("/", 2)
    is_static = first == "static"
    is_page = resource != "/" and not is_static and resource not in app.KNOWN_FILES
    route = "/{page+}" if is_page else "/static/{file+}" if is_static else resource
    return {
        "httpMethod": "GET",
        "resource": route,
        "headers": {name.replace("_", "-"): value for name, value in headers.items()},
        "pathParameters": {"page": resource[1:]} if is_page else {"file": names[0]} if is_static else None,
        "queryStringParameters": dict([query.split("=")]) if query else None,
        "requestContext": {"requestId": "r-1", "path": resource if path is None else path},
    }


def get(address: str, path: str | None = None, **headers: str) -> dict[str, Any]:
    """The answer to an address with its query; ``path`` is what the caller requested, with a stage."""
    resource, _, query = address.partition("?")
    return app.handler(event(resource, path, query, **headers), None)


def site_with(settings: dict[str, str]) -> ModuleType:
    """The function's module, loaded anew with these settings alone."""
    spec = importlib.util.spec_from_file_location("functions.site.other_app", app.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(os.environ, settings, clear=True):
        spec.loader.exec_module(module)
    return module


def body_with(settings: dict[str, str], address: str) -> str:
    """The body of a page of the function with these settings."""
    resource, _, query = address.partition("?")
    return str(site_with(settings).handler(event(resource, query=query), None)["body"])
