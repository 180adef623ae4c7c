"""A connection whose TLS handshake is given up is closed at once, not when garbage is collected."""

import asyncio
import ssl
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, suppress
from typing import Any

import pytest

from brskills_server.outbound.fetcher import Fetcher
from brskills_server.outbound.public_network import Network
from brskills_server.webhooks.poster import Poster
from tests.services.silent import Silent

CERTIFICATES = ssl.create_default_context()


@pytest.fixture
def silent() -> Iterator[Silent]:
    with closing(Silent()) as found:
        yield found


def fetch(port: int) -> Coroutine[Any, Any, object]:
    network = Network(certificates=CERTIFICATES, connect_to={"psp.example": ("127.0.0.1", port)})
    return Fetcher("brskills/test", network).get("https://psp.example/qr", "*/*", 1)


def post(port: int) -> Coroutine[Any, Any, object]:
    network = Network(certificates=CERTIFICATES, connect_to={"hook.example": ("127.0.0.1", port)})
    return Poster("brskills/test", network).post("https://hook.example/", {}, b"")


@pytest.mark.parametrize("request_to", [fetch, post])
def test_a_handshake_that_is_given_up(
    silent: Silent, request_to: Callable[[int], Coroutine[Any, Any, object]]
) -> None:
    async def give_up() -> None:
        asking = asyncio.create_task(request_to(silent.port))
        await _until(lambda: silent.open == 1)
        asking.cancel()
        with suppress(asyncio.CancelledError):
            await asking
        await _until(lambda: silent.open == 0)

    asyncio.run(give_up())


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.01)
