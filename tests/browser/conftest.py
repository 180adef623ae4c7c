"""The page in Debian's chromium, over the whole API: a gateway of this suite's own, or ``BASE_URL``.

Every page of every test is watched: whatever leaves the host, breaks the policy or fails in a script is
a failure of that test.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.services.gateway import gateway

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ROOMY = {"SIGNUPS_PER_DAY": "1000", "DEMO_MONTHLY_LIMIT": "100000"}

SLOWEST_ANSWER = 20_000  # milliseconds; a function may have to start first
expect.set_options(timeout=SLOWEST_ANSWER)

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def base() -> Iterator[str]:
    """Where the service stands, with a slash at the end."""
    if "BASE_URL" in os.environ:
        yield os.environ["BASE_URL"].rstrip("/") + "/"
        return
    with gateway(**ROOMY) as address:
        yield f"{address}/"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, base: str) -> Iterator[OpenPage]:
    """Open an address of the service in a new, empty profile; options are those of a browser context."""
    contexts = []
    faults: list[str] = []

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: faults.append(f"script: {error}"))
        page.on("console", lambda message: faults.extend(_faults_of(message)))
        page.on("request", lambda request: faults.extend(_strays(request.url, base)))

    def open_(path: str = "", **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        watch(page)
        page.goto(base + path, wait_until="networkidle")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert faults == []


def _faults_of(message: Any) -> list[str]:
    if message.type not in {"error", "warning"}:
        return []
    # A refusal by the API is told to the visitor; the browser notes it too.
    if message.text.startswith("Failed to load resource") and "/api/v1/" in message.location.get("url", ""):
        return []
    return [f"console: {message.text}"]


def _strays(url: str, base: str) -> list[str]:
    return [] if url.startswith((base, "data:", "blob:")) else [f"request: {url}"]
