"""A real model, by the protocol of chat completions that most makers and local servers speak."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

import httpx

from lab.agents.model import Json, ModelError, Reply, ToolCall

_SECONDS = 120
_ATTEMPTS = 5
_BUSY = {429, 500, 502, 503, 529}
_LONGEST_WAIT = 60.0


class ChatCompletions:
    """A model at ``{base}/chat/completions``; ``base`` ends before that, as in ``https://host/v1``."""

    def __init__(self, name: str, base: str, key: str) -> None:
        self._name = name
        self._http = httpx.Client(base_url=base, headers={"Authorization": f"Bearer {key}"}, timeout=_SECONDS)

    @classmethod
    def from_environment(cls, name: str) -> ChatCompletions:
        """Return the model of ``MODEL_URL`` and ``MODEL_API_KEY``. Raise ``ModelError`` without a key."""
        key = os.environ.get("MODEL_API_KEY")
        if not key:
            raise ModelError("MODEL_API_KEY is needed: the key of a service of chat completions")
        return cls(name, os.environ.get("MODEL_URL", "https://api.openai.com/v1"), key)

    def complete(self, messages: Sequence[Json], tools: Sequence[Json]) -> Reply:
        """Return the model's turn. A busy service is asked again; ``ModelError`` quotes what it answers."""
        asked = {"model": self._name, "messages": list(messages), "tools": list(tools)}
        for attempt in range(_ATTEMPTS):
            answer = self._post(asked)
            if answer.status_code not in _BUSY or attempt == _ATTEMPTS - 1:
                break
            time.sleep(_seconds_to_wait(answer, attempt))
        if answer.is_error:
            raise ModelError(f"HTTP {answer.status_code}: {answer.text[:500]}")
        try:
            return _reply(answer.json()["choices"][0]["message"])
        except (ValueError, LookupError, TypeError) as error:
            raise ModelError(f"no chat completion: {answer.text[:500]}") from error

    def _post(self, asked: Json) -> httpx.Response:
        try:
            return self._http.post("chat/completions", json=asked)
        except httpx.HTTPError as error:
            raise ModelError(f"{type(error).__name__} at {self._http.base_url}") from error


def _seconds_to_wait(answer: httpx.Response, attempt: int) -> float:
    asked = answer.headers.get("retry-after", "")
    return min(_LONGEST_WAIT, float(asked) if asked.isdecimal() else 2.0**attempt)


def _reply(message: Any) -> Reply:
    calls = tuple(
        ToolCall(call["id"], call["function"]["name"], call["function"]["arguments"])
        for call in message.get("tool_calls") or ()
    )
    return Reply(message.get("content") or "", calls)
