"""The DynamoDB of tests and of `sam local` answers programs, and of them only calls of its API."""

from __future__ import annotations

import socket
from typing import Any

import httpx
import pytest

LIST = {"X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0"}


CLIENT = httpx.Client(verify=False, timeout=60, trust_env=False)  # noqa: S501, of HTTP on this machine


def ask(endpoint: str, method: str = "POST", path: str = "/", **headers: str) -> httpx.Response:
    return CLIENT.request(method, endpoint + path, content=b"{}", headers=LIST | headers)


@pytest.mark.parametrize(
    "host", ["127.0.0.1:1", "LOCALHOST:80", "[::1]:8000", "172.17.0.1", "host.docker.internal:5"]
)
def test_it_is_known_by_names_that_lead_nowhere_else(dynamodb_endpoint: str, host: str) -> None:
    answer = ask(dynamodb_endpoint, Host=host)
    assert (answer.status_code, list(answer.json())) == (200, ["TableNames"])


@pytest.mark.parametrize(
    "request_",
    [
        {"Origin": "https://loja.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:8000"},
        {"Host": "rebound.example:8000"},
        {"Host": "127.0.0.1.rebound.example"},
        {"Host": ""},
        {"method": "OPTIONS"},
        {"path": "/moto-api/reset"},
        {"path": "/moto-api/data.json", "method": "GET"},
        {"X-Amz-Target": "DynamoDBStreams_20120810.ListStreams"},
        {"X-Amz-Target": ""},
    ],
)
def test_anything_else_is_refused(dynamodb_endpoint: str, request_: dict[str, Any]) -> None:
    tables = ask(dynamodb_endpoint).json()
    answer = ask(dynamodb_endpoint, **request_)
    assert (answer.status_code, answer.content) == (403, b"")
    assert not {name for name in answer.headers if name.startswith("access-control")}
    assert ask(dynamodb_endpoint).json() == tables


def test_who_sends_slowly_holds_nobody_up(dynamodb_endpoint: str) -> None:
    host, port = dynamodb_endpoint.removeprefix("http://").split(":")
    head = "".join(f"{name}: {value}\r\n" for name, value in {**LIST, "Host": host}.items())
    with socket.create_connection((host, int(port))) as slow:
        slow.sendall(f"POST / HTTP/1.1\r\n{head}Content-Length: 100\r\n\r\n{{".encode())
        for _ in range(3):
            assert ask(dynamodb_endpoint).status_code == 200
