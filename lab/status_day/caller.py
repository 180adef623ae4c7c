"""A client that counts calls and failures by the contract alone."""

from collections import Counter
from threading import Lock
from typing import Any

import httpx

from tests.services.served import Counts

_ANSWERED, _FAILED, _REFUSED = (1, 0), (1, 1), (0, 0)


class Caller:
    """Calls with a connection for each call, so that every worker gets some; safe for many threads.

    ``counts``: the calls by the contract alone. ``unanswered``: calls whose connection broke.
    """

    def __init__(self, base: str) -> None:
        self._http = httpx.Client(base_url=base, timeout=60, limits=httpx.Limits(max_keepalive_connections=0))
        self._lock = Lock()
        self._counts: Counter[str] = Counter()
        self.unanswered = 0
        self.key = {"X-API-Key": "none yet"}

    @property
    def counts(self) -> Counts:
        """What was counted until now."""
        return Counts(self._counts["calls"], self._counts["failed"])

    def take_a_key(self) -> None:
        """Use a new free key."""
        self.key = {"X-API-Key": self.ask("POST", "/api/v1/keys", 201, counts=False)["api_key"]}

    def ask(
        self, method: str, path: str, *expected: int, counts: bool = True, headers: Any = None, **more: Any
    ) -> Any:
        """A call's JSON; raises where its status is none of those expected. ``counts``: it asks a skill."""
        answer = self._http.request(method, path, headers=self.key if headers is None else headers, **more)
        content = answer.json()
        if counts:
            self._count(_counted(answer.status_code, content, _staged(path, more.get("json", {}))))
        return _as_expected(path, answer.status_code, content, expected)

    def use(self, tool: str, *expected: int, counts: bool = True, **arguments: Any) -> Any:
        """The same by MCP; a tool that answers is a 200."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        body = {**message, "params": {"name": tool, "arguments": arguments}}
        result = self._http.post("/mcp", headers=self.key, json=body).json()["result"]
        content = result["structuredContent"]
        status = content["status"] if result.get("isError") else 200
        if counts:
            self._count(_counted(status, content, _staged(str(arguments), {})))
        return _as_expected(tool, status, content, expected)

    def ask_or_break(self, method: str, path: str, *expected: int, **more: Any) -> None:
        """A call over a connection that may break."""
        try:
            self.ask(method, path, *expected, **more)
        except httpx.TransportError:
            with self._lock:
                self.unanswered += 1

    def head(self, path: str) -> int:
        """The status of a HEAD."""
        return self._http.head(path).status_code

    def _count(self, due: tuple[int, int]) -> None:
        with self._lock:
            self._counts.update(calls=due[0], failed=due[1])


def _staged(asked: str, content: Any) -> list[bool]:
    """Whether a call, or each item of a batch, asks for the sandbox's 503, which is then its answer."""
    return ["SANDBOX5" in one for one in content.get("cnpjs", [asked])]


def _counted(status: int, content: Any, staged: list[bool]) -> tuple[int, int]:
    """Calls and failures of an answer; a batch that was answered has those of its items."""
    if "resultados" in content:
        items = [
            _counted(item["status"], item.get("problema", {}), staged[item["indice"] :][:1])
            for item in content["resultados"]
        ]
        return sum(calls for calls, _ in items), sum(failed for _, failed in items)
    if status >= 500:
        return _ANSWERED if any(staged) else _FAILED
    return _ANSWERED if status < 400 or content["code"] == "company_not_found" else _REFUSED


def _as_expected(what: str, status: int, content: Any, expected: tuple[int, ...]) -> Any:
    if status not in expected:
        raise SystemExit(f"{what}: {status}, and not one of {expected}: {content}")
    return content
