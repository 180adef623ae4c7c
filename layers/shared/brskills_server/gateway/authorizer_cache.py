"""The authorizer's answers, cached by key as API Gateway caches them, but for denials.

Neither a raw key nor what is sent in place of one stays in memory: an answer is found by the key's digest,
and only an allowed key's is kept. Threads share it without a lock: whatever they do to the dictionary is one
step, and two of them may at worst ask for the same key.
"""

import hashlib
import time
from collections.abc import Callable
from typing import Any

__all__ = ["AuthorizerCache"]

_MOST = 10_000

Event = dict[str, Any]


class AuthorizerCache:
    """Asks ``authorizer``, whose answers hold for so many ``seconds``; ``clock`` is monotonic."""

    def __init__(
        self,
        authorizer: Callable[[Event, object], dict[str, Any]],
        seconds: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._authorizer = authorizer
        self._seconds = seconds
        self._clock = clock
        self._allowed: dict[bytes, tuple[float, dict[str, Any]]] = {}

    def context_of(self, key: str, event: Event) -> dict[str, Any] | None:
        """What the authorizer says of a key's owner; ``None``: denied. Raises what the authorizer raises."""
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
        until, context = self._allowed.get(digest, (0.0, {}))
        if self._clock() < until:
            return context
        arn = f"arn:aws:execute-api:local:0:brskills/v1/{event['httpMethod']}{event['path']}"
        verdict = self._authorizer({"type": "REQUEST", "methodArn": arn, **event}, None)
        if verdict["policyDocument"]["Statement"][0]["Effect"] != "Allow":
            self._allowed.pop(digest, None)
            return None
        if len(self._allowed) >= _MOST:
            self._allowed.clear()
        allowed: dict[str, Any] = verdict["context"]
        self._allowed[digest] = (self._clock() + self._seconds, allowed)
        return allowed
