"""What load balancers ask: health, and HEAD on every GET route without a key."""

import re

import httpx
import pytest

from brskills_server.gateway.template import load

OPEN = sorted({route.resource for route in load().routes if route.method == "GET" and not route.requires_key})
OF_THIS_ANSWER = {"date", "server", "connection", "x-request-id", "x-amzn-requestid", "x-amz-request-id"}


def address(http: httpx.Client, resource: str) -> str:
    if "{file+}" not in resource:
        return resource
    found = re.search(r'"(static/[^"]+\.css)"', http.get("/").text)
    assert found
    return f"/{found[1]}"


def test_health_is_that_a_call_could_be_counted(http: httpx.Client) -> None:
    answer = http.get("/api/v1/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("resource", OPEN)
def test_head_is_get_without_its_body(http: httpx.Client, resource: str) -> None:
    path = address(http, resource)
    full, head = http.get(path), http.head(path)
    assert full.content
    assert head.content == b""
    assert head.status_code == full.status_code
    known = full.headers.keys() - OF_THIS_ANSWER
    if resource == "/api/v1/status":  # which is longer or shorter as things go
        known -= {"content-length"}
    assert {name: head.headers.get(name) for name in known} == {name: full.headers[name] for name in known}


def test_head_takes_no_key_anywhere(api: httpx.Client) -> None:
    assert api.head("/api/v1/usage").status_code == 404
