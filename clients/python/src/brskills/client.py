"""The blocking and the asyncio client.

httpx and tenacity are imported when a client is created: reading codes does not need them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, TypeVar, cast

from brskills.calls import Call
from brskills.operations import AsyncOperations, BlockingOperations
from brskills.settings import Settings

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")


class Client(BlockingOperations):
    """A client whose calls block; threads may share it. Raise `ConfigurationError` for invalid settings.

    ``api_key`` and ``base_url`` default to ``BRSKILLS_API_KEY`` and ``BRSKILLS_URL``, the key then to the one
    that `brskills chave` saved. ``timeout``: seconds for connecting and between bytes (default: 30);
    ``deadline``: seconds for a whole attempt (default: ``timeout`` if given, else 120). A transient failure
    is retried up to ``retries`` times, after ``Retry-After``, within ``max_wait`` seconds. ``language`` of
    the service's texts: ``pt`` or ``en``. ``transport``: of httpx, for tests.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float | None = None,
        deadline: float | None = None,
        retries: int = 3,
        max_wait: float = 60.0,
        language: str = "pt",
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        import httpx
        import tenacity

        from brskills.deadline import enforce_deadlines
        from brskills.retry import retry_policy, translate_setup_errors

        self.settings = Settings(api_key, base_url, timeout, deadline, language)
        self._retrying = tenacity.Retrying(**retry_policy(retries, max_wait))
        with translate_setup_errors():
            self._http = httpx.Client(
                base_url=self.settings.base_url, timeout=self.settings.timeout, transport=transport
            )
            enforce_deadlines(self._http)

    def send(self, call: Call[T]) -> T:
        """Send a call, with retries, and return its answer. Raise `BrskillsError`."""
        headers = self.settings.headers(with_key=call.needs_key) | call.headers()
        if not call.repeatable:
            return self._send(call, headers)
        answer: T = self._retrying.copy()(self._send, call, headers)
        return answer

    def _send(self, call: Call[T], headers: dict[str, str]) -> T:
        from brskills.body import Body
        from brskills.deadline import finish_within
        from brskills.retry import translate_errors

        sent = self._http.stream(call.method, call.path, content=call.body(), headers=headers)
        with translate_errors(), finish_within(self.settings.deadline), sent as answer:
            body = Body(answer)
            for part in cast("httpx.SyncByteStream", answer.stream):
                body.add(part)
        return call.read(answer.status_code, answer.headers, body.content)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class AsyncClient(AsyncOperations):
    """A client for asyncio, with the parameters of `Client`; its methods are awaited."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float | None = None,
        deadline: float | None = None,
        retries: int = 3,
        max_wait: float = 60.0,
        language: str = "pt",
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        import tenacity

        from brskills.async_connections import AsyncConnections
        from brskills.retry import retry_policy, translate_setup_errors

        self.settings = Settings(api_key, base_url, timeout, deadline, language)
        self._retrying = tenacity.AsyncRetrying(**retry_policy(retries, max_wait))
        with translate_setup_errors():
            self._connections = AsyncConnections(self.settings.base_url, self.settings.timeout, transport)

    async def send(self, call: Call[T]) -> T:
        """Send a call, with retries, and return its answer. Raise `BrskillsError`."""
        headers = self.settings.headers(with_key=call.needs_key) | call.headers()
        if not call.repeatable:
            return await self._send(call, headers)
        return await self._retrying.copy()(self._send, call, headers)

    async def _send(self, call: Call[T], headers: dict[str, str]) -> T:
        import asyncio

        from brskills.body import Body
        from brskills.retry import translate_errors

        with translate_errors():
            async with (
                asyncio.timeout(self.settings.deadline),
                self._connections.taken() as http,
                http.stream(call.method, call.path, content=call.body(), headers=headers) as answer,
            ):
                body = Body(answer)
                async for part in cast("httpx.AsyncByteStream", answer.stream):
                    body.add(part)
        return call.read(answer.status_code, answer.headers, body.content)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._connections.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()
