"""A cache of the authorizer's answers by API key, as API Gateway has one, but without denials."""

import hashlib
import time
from collections.abc import Callable
from typing import Any

_MAX_ENTRIES = 10_000

Event = dict[str, Any]


class AuthorizerCache:
    """A cache over ``authorizer`` with a time to live in ``seconds``; ``clock`` is monotonic.

    Keys are stored as digests. It takes no lock: at worst, two threads authorize the same key.
    """

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
        """Return the authorizer's context for a key, ``None`` if denied. Raise what the authorizer raises."""
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
        until, context = self._allowed.get(digest, (0.0, {}))
        if self._clock() < until:
            return context
        arn = f"arn:aws:execute-api:local:0:brskills/v1/{event['httpMethod']}{event['path']}"
        result = self._authorizer({"type": "REQUEST", "methodArn": arn, **event}, None)
        if result["policyDocument"]["Statement"][0]["Effect"] != "Allow":
            self._allowed.pop(digest, None)
            return None
        if len(self._allowed) >= _MAX_ENTRIES:
            self._allowed.clear()
        allowed: dict[str, Any] = result["context"]
        self._allowed[digest] = (self._clock() + self._seconds, allowed)
        return allowed
