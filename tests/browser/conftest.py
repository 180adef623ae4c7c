"""The page in Debian's chromium, over the whole API: a gateway of this suite's own, or ``BASE_URL``.

Every page of every test is watched: whatever leaves the host, breaks the policy or fails in a script is
a failure of that test.
"""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.browser.held import Held
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
SOLD = {
    "STRIPE_API_KEY": "sk_test_x",
    "STRIPE_WEBHOOK_SECRETS": "whsec_x",
    "STRIPE_PRICE_PRO": "price_x",
    "STRIPE_API_BASE": "http://127.0.0.1:9",  # nobody answers there
}

SLOWEST_ANSWER = 20_000  # milliseconds; a function may have to start first
expect.set_options(timeout=SLOWEST_ANSWER)

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def base() -> Iterator[str]:
    """The address of the service, with a slash at the end."""
    if "BASE_URL" in os.environ:
        yield os.environ["BASE_URL"].rstrip("/") + "/"
        return
    with gateway(**ROOMY, **SOLD) as address:
        yield f"{address}/"


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A browser that loads a page anew when one comes back to it."""
    with launch(playwright) as chromium:
        yield chromium


@pytest.fixture(scope="session")
def keeping_browser(playwright: Playwright) -> Iterator[Browser]:
    """A browser that keeps a page that is left and brings it back as it was: what people have."""
    with launch(playwright, ignore_default_args=["--disable-back-forward-cache"]) as chromium:
        yield chromium


@contextlib.contextmanager
def launch(playwright: Playwright, **options: Any) -> Iterator[Browser]:
    chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS, **options)
    yield chromium
    chromium.close()


@pytest.fixture
def open_page(browser: Browser, base: str) -> Iterator[OpenPage]:
    """Open an address of the service in a new, empty profile; options are those of a browser context."""
    contexts = []
    issues: list[str] = []

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: issues.append(f"script: {error}"))
        page.on("console", lambda message: issues.extend(_issues_of(message)))
        page.on("request", lambda request: issues.extend(_strays(request.url, base)))

    def open_(path: str = "", within: Browser = browser, **options: Any) -> Page:
        context = within.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        watch(page)
        page.goto(base + path, wait_until="networkidle")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert issues == []


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The landing page in Portuguese, in a new profile."""
    return open_page()


@pytest.fixture
def held(page: Page) -> Held:
    """The page's calls for Pix codes, each of which waits to be answered."""
    return Held(page, "skills/pix")


def _issues_of(message: Any) -> list[str]:
    if message.type not in {"error", "warning"}:
        return []
    # Problems of the API are shown on the page; the browser logs them too.
    if message.text.startswith("Failed to load resource") and "/api/v1/" in message.location.get("url", ""):
        return []
    return [f"console: {message.text}"]


def _strays(url: str, base: str) -> list[str]:
    return [] if url.startswith((base, "data:", "blob:")) else [f"request: {url}"]
