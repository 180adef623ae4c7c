"""A fake service for batches with configurable faults that counts calls as the server does."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import httpx

from brskills.local import create_pix_code
from tests.client.answering import COMPANY, json_answer, problem

FAULTS = (
    "none",
    "lost",
    "refused",
    "killed before",
    "killed after",
    "throttled",
    "half silent",
    "half limited",
)
UNANSWERED = {"silent": (503, "sources_unavailable"), "limited": (429, "uncounted_limit", 42)}
_USAGE = {
    "plano": "free",
    "mes": "2026-11",
    "chamadas": 100,
    "limite": 100,
    "restantes": 0,
    "reinicia_em": "2026-12-01T00:00:00-03:00",
    "historico": [],
}


class Killed(BaseException):
    """A kill of the client's process."""


class Batches:
    """A service. ``faults``: one for each request, then none. ``room``: remaining calls of the month."""

    def __init__(self, faults: Iterable[str] = (), room: int = 10**9) -> None:
        self._faults = iter(faults)
        self._known: set[str] = set()
        self._requests: dict[str, list[str]] = {}
        self.counted: dict[str, int] = {}
        self.room = room

    @property
    def calls(self) -> int:
        return sum(self.counted.values())

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/usage"):
            return json_answer(_USAGE)
        fault = next(self._faults, "none")
        if fault == "killed before":
            raise Killed
        if fault == "interrupted":
            raise KeyboardInterrupt
        if fault == "refused":
            raise httpx.ConnectError("…")
        if fault == "throttled":
            return problem(429, "throttled", {"Retry-After": "1"})
        answer = self._answer(request, half=fault.removeprefix("half "))
        if fault == "killed after":
            raise Killed
        if fault == "lost":
            raise httpx.ReadTimeout("…")
        return answer

    def _answer(self, request: httpx.Request, *, half: str) -> httpx.Response:
        key, content = request.headers["idempotency-key"], json.loads(request.content)
        is_pix = request.url.path.endswith("/pix/lote")
        numbers = [json.dumps(each) for each in content["itens"]] if is_pix else content["cnpjs"]
        assert self._requests.setdefault(key, numbers) == numbers
        assert content["parcial"]
        assert len(set(numbers)) == len(numbers) <= 100
        before = self.counted.get(key, 0)
        room = before + self.room - self.calls
        entries, found = list[dict[str, Any]](), 0
        for index, number in enumerate(numbers):
            if index >= room:
                entries.append(_refused(index, 429, "quota_exceeded"))
            elif half in UNANSWERED and index % 2 and number not in self._known:
                entries.append(_refused(index, *UNANSWERED[half]))
            else:
                found += 1
                self._known.add(number)
                entries.append({"indice": index, "status": 200, "resposta": self._found(number)})
        self.counted[key] = max(before, found)
        return json_answer({"resultados": entries, "contadas": self.counted[key]})

    def _found(self, item: str) -> dict[str, Any]:
        if item.startswith("{"):
            return asdict(create_pix_code("en", **json.loads(item))) | {
                "valor": json.loads(item).get("valor")
            }
        return {**COMPANY, "cnpj": item}


def _refused(index: int, status: int, code: str, retry_after: int = 0) -> dict[str, Any]:
    members = {"status": status, "code": code, "title": "t", "detail": "d", "retry_after": retry_after}
    return {"indice": index, "status": status, "problema": members}
