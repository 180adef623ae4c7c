"""A fake service for a client under test."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from brskills import Client

KEY, URL = "brsk_0123456789", "https://brskills.example"
_SANDBOX = Path(__file__).parents[2] / "layers/shared/brskills_server/registry/sandbox.json"
COMPANY: dict[str, Any] = {
    **json.loads(_SANDBOX.read_text(encoding="utf-8"))[0],
    "fonte": "sandbox",
    "data_base": "2026-11-01",
    "consultado_em": "2026-11-20T12:00:00Z",
    "idade_segundos": 3600,
    "desatualizado": False,
}


class Service:
    """A service that returns its answers in order, and repeats the last; exceptions are raised."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self._answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    @property
    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self)

    @property
    def idempotency_keys(self) -> list[str | None]:
        return [request.headers.get("idempotency-key") for request in self.requests]


def client(*answers: httpx.Response | Exception, **options: Any) -> Client:
    """Return a client of a service with these answers."""
    return Client(KEY, URL, transport=Service(*answers).transport, **options)


def json_answer(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> httpx.Response:
    return httpx.Response(status, json=content, headers=headers)


def problem(
    status: int, code: str, headers: Mapping[str, str] | None = None, **members: Any
) -> httpx.Response:
    texts = {"type": f"urn:brskills:problem:{code}", "title": "Título", "detail": "O que houve."}
    content = {**texts, "status": status, "code": code, "request_id": "r-1", **members}
    return json_answer(content, status, {"Content-Type": "application/problem+json", **(headers or {})})
