"""A host of MCP Apps made of the official packages: their client for the server, their bridge for cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, FrameLocator, Page

from lab.apps_host.serving import serve
from lab.clients.environments import apps_host_packages
from tests.browser.conftest import base, browser, playwright

__all__ = ["base", "browser", "playwright"]


class Host:
    """A page of the host, as wide as a phone."""

    def __init__(self, page: Page, url: str, key: str, sandbox: str) -> None:
        self.page = page
        self._server = (f"{url}mcp", key)
        self._sandbox = sandbox

    def connect(self, mode: str, *, shows_cards: bool = True) -> list[str]:
        """Return the names of the tools with cards. ``mode``: ``legacy`` or ``auto``."""
        call = "(given) => host.connect(...given)"
        found: list[str] = self.page.evaluate(call, [*self._server, mode, shows_cards])
        return found

    def show(self, tool: str, arguments: dict[str, object], **context: str) -> dict[str, object]:
        """Call a tool and show its card; return the tool's result."""
        given = [tool, arguments, context, self._sandbox]
        result: dict[str, object] = self.page.evaluate("(given) => host.show(...given)", given)
        return result

    @property
    def card(self) -> FrameLocator:
        """The card, in the frame of the sandbox."""
        return self.page.frame_locator("iframe").frame_locator("iframe")


@pytest.fixture(scope="session")
def packages() -> Path:
    return apps_host_packages()


@pytest.fixture(scope="session")
def pages(packages: Path) -> Iterator[tuple[str, str]]:
    with serve(packages) as addresses:
        yield addresses


@pytest.fixture(scope="session")
def key(base: str) -> str:
    found: str = httpx.post(f"{base}api/v1/keys").json()["api_key"]
    return found


@pytest.fixture
def host(browser: Browser, base: str, key: str, pages: tuple[str, str]) -> Iterator[Host]:
    """An open page; the test fails if a script of it or of a card does."""
    address, sandbox = pages
    context = browser.new_context(viewport={"width": 360, "height": 700})
    page = context.new_page()
    issues: list[str] = []
    page.on("pageerror", lambda error: issues.append(str(error)))
    page.goto(address)
    page.wait_for_function("window.host")
    yield Host(page, base, key, sandbox)
    context.close()
    assert issues == []
