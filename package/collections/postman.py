"""A Postman collection, version 2.1."""

from __future__ import annotations

import json
from itertools import groupby
from operator import attrgetter
from typing import Any

from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY, VERSION
from package.collections.requests import BASE, Request

_SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"


def postman(requests: list[Request]) -> str:
    """Return the collection as JSON: a folder for each tag, address and key as variables."""
    by_tag = groupby(requests, attrgetter("tag"))
    return json.dumps(
        {
            "info": {"name": "brskills", "version": VERSION, "schema": _SCHEMA},
            "variable": [
                {"key": "base_url", "value": BASE},
                {"key": "api_key", "value": PUBLISHED_DEMO_KEY},
            ],
            "item": [{"name": tag, "item": [_item(each) for each in group]} for tag, group in by_tag],
        },
        ensure_ascii=False,
        indent=1,
    )


def _item(request: Request) -> dict[str, Any]:
    content: dict[str, Any] = {
        "method": request.method,
        "header": _entries(request.headers) + _entries(request.header_options, disabled=True),
        "url": _url(request),
    }
    if request.body is not None:
        raw = json.dumps(request.body, ensure_ascii=False, indent=2)
        content["body"] = {"mode": "raw", "raw": raw, "options": {"raw": {"language": "json"}}}
    return {"name": request.title, "request": content}


def _url(request: Request) -> dict[str, Any]:
    return {
        "raw": f"{{{{base_url}}}}{request.path}",
        "host": ["{{base_url}}"],
        "path": request.path.lstrip("/").split("/"),
        "query": _entries(request.query_options, disabled=True),
    }


def _entries(values: dict[str, str], *, disabled: bool = False) -> list[dict[str, Any]]:
    switch = {"disabled": True} if disabled else {}
    return [{"key": name, "value": value, **switch} for name, value in values.items()]
