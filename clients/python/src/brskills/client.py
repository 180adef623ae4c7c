"""The two clients: what they share is in ``brskills.operations``, what differs is how they wait.

What makes connections is imported when a client is made: those who only read codes need not wait for it.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar, cast

from brskills.calls import Call
from brskills.operations import AsyncOperations, BlockingOperations
from brskills.settings import Settings

if TYPE_CHECKING:
    import httpx

__all__ = ["AsyncClient", "Client"]

T = TypeVar("T")


class Client(BlockingOperations):
    """Calls that block until they are answered; may be shared by threads.

    ``api_key`` and ``base_url`` default to ``BRSKILLS_API_KEY`` and ``BRSKILLS_URL``. ``timeout``: seconds
    that a connection, or silence on it, may take; ``deadline``: seconds that the whole of an attempt may take
    (by default 120, or ``timeout`` if that is more). A call that may succeed later is repeated up to
    ``retries`` times, after what ``Retry-After`` asks for, within ``max_wait`` seconds. ``language`` of the
    service's texts: ``pt`` or ``en``. ``transport``: one of httpx's, as for tests. ``settings`` has all of
    this, checked. Raises ``ConfigurationError``.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 30.0,
        deadline: float | None = None,
        retries: int = 3,
        max_wait: float = 60.0,
        language: str = "pt",
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        import httpx

        from brskills.deadline import enforce_deadlines
        from brskills.repeating import repeating, set_up

        self.settings = Settings.of(api_key, base_url, timeout, retries, max_wait, language, deadline)
        self._repeating = repeating(retries, max_wait)
        with set_up():
            self._http = httpx.Client(base_url=self.settings.base_url, timeout=timeout, transport=transport)
            enforce_deadlines(self._http)

    def send(self, call: Call[T]) -> T:
        """Make a call, and repeat it where that may help; raises ``BrskillsError``."""
        return self._repeating.copy()(self._send, call) if call.repeatable else self._send(call)

    def _send(self, call: Call[T]) -> T:
        from brskills.body import Body
        from brskills.deadline import finish_within
        from brskills.repeating import translate_errors

        headers = self.settings.headers(with_key=call.needs_key) | call.headers()
        sent = self._http.stream(call.method, call.path, content=call.body(), headers=headers)
        with translate_errors(), finish_within(self.settings.deadline), sent as answer:
            body = Body(answer)
            for part in cast("httpx.SyncByteStream", answer.stream):
                body.add(part)
        return call.read(answer.status_code, answer.headers, body.content)

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(AsyncOperations):
    """The same for asyncio: every method is to be awaited. The parameters are those of ``Client``."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 30.0,
        deadline: float | None = None,
        retries: int = 3,
        max_wait: float = 60.0,
        language: str = "pt",
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        import httpx

        from brskills.repeating import repeating_async, set_up

        self.settings = Settings.of(api_key, base_url, timeout, retries, max_wait, language, deadline)
        self._repeating = repeating_async(retries, max_wait)
        with set_up():
            self._http = httpx.AsyncClient(
                base_url=self.settings.base_url, timeout=timeout, transport=transport
            )

    async def send(self, call: Call[T]) -> T:
        """Make a call, and repeat it where that may help; raises ``BrskillsError``."""
        if not call.repeatable:
            return await self._send(call)
        return await self._repeating.copy()(self._send, call)

    async def _send(self, call: Call[T]) -> T:
        import asyncio

        from brskills.body import Body
        from brskills.repeating import translate_errors

        headers = self.settings.headers(with_key=call.needs_key) | call.headers()
        sent = self._http.stream(call.method, call.path, content=call.body(), headers=headers)
        with translate_errors():
            async with asyncio.timeout(self.settings.deadline), sent as answer:
                body = Body(answer)
                async for part in cast("httpx.AsyncByteStream", answer.stream):
                    body.add(part)
        return call.read(answer.status_code, answer.headers, body.content)

    async def aclose(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
