"""The page in Debian's chromium, over the whole API: a gateway of this suite's own, or ``BASE_URL``.

Every page of every test is watched: whatever leaves the host, breaks the policy or fails in a script is
a failure of that test.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_SECONDS = 40
ROOT = Path(__file__).parents[2]
ROOMY = {"SIGNUPS_PER_DAY": "1000", "DEMO_MONTHLY_LIMIT": "100000", "WORKERS": "4"}

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def base() -> Iterator[str]:
    """Where the service stands, with a slash at the end."""
    if "BASE_URL" in os.environ:
        yield os.environ["BASE_URL"].rstrip("/") + "/"
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    environment = {
        **os.environ,
        **ROOMY,
        "PORT": str(port),
        "POWERTOOLS_LOG_LEVEL": "ERROR",
        "PYTHONPATH": "layers/shared",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "gateway"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _await(address, process)
        yield address
    finally:
        process.terminate()
        process.wait()


def _await(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=2).close()
        except (URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the gateway did not start")


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
