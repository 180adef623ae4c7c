"""Clients of DynamoDB for tests: a request fails, or some are preceded by others."""

from collections.abc import Callable
from typing import Any

from botocore.exceptions import ReadTimeoutError


class Faulty:
    """A client whose request of this number times out, before or after it was carried out."""

    def __init__(self, client: Any, faulty: int, *, carried_out: bool) -> None:
        self._client = client
        self._faulty = faulty
        self._sent = 0
        self._carried_out = carried_out

    @property
    def is_over(self) -> bool:
        """Whether fewer requests were sent, so that none failed."""
        return self._sent < self._faulty

    def __getattr__(self, operation: str) -> Any:
        def request(**arguments: Any) -> Any:
            self._sent += 1
            if self._sent != self._faulty:
                return getattr(self._client, operation)(**arguments)
            if self._carried_out:
                getattr(self._client, operation)(**arguments)
            raise ReadTimeoutError(endpoint_url="http://127.0.0.1")

        return request


class Overtaken:
    """A client before whose first requests of this name something else is done, each time another thing."""

    def __init__(self, client: Any, operation: str, *first: Callable[[], object]) -> None:
        self._client = client
        self._operation = operation
        self._waiting = [*first]

    def __getattr__(self, operation: str) -> Any:
        if operation == self._operation and self._waiting:
            self._waiting.pop(0)()
        return getattr(self._client, operation)
