from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from .host import CardHost, Server

PHONE = {"viewport": {"width": 360, "height": 700}}

OpenHost = Callable[..., CardHost]


@pytest.fixture(scope="session")
def server(base: str) -> Iterator[Server]:
    server = Server(base)
    yield server
    server.close()


@pytest.fixture
def open_host(browser: Browser, server: Server) -> Iterator[OpenHost]:
    """Open a host as wide as a phone; options are those of a browser context."""
    hosts: list[CardHost] = []

    def open_(**options: Any) -> CardHost:
        hosts.append(CardHost(browser, server, **{**PHONE, **options}))
        return hosts[-1]

    yield open_
    for host in hosts:
        host.close()


@pytest.fixture
def host(open_host: OpenHost) -> CardHost:
    return open_host()
