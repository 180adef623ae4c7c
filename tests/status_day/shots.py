"""The page's section on the status as people see it, in both languages, in Debian's chromium."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from tests.status_day.caller import Caller

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Response

__all__ = ["Shots"]

_WAIT = 20_000  # milliseconds
_SIZES = {"wide": (1200, 900), "narrow": (360, 800)}


class Shots:
    """``folder``: where pictures go; ``None``: none are taken. ``caller`` counts what the page calls."""

    def __init__(self, base: str, folder: Path | None, caller: Caller) -> None:
        self._base = base
        self._folder = folder
        self._caller = caller

    def take(self, moment: str) -> None:
        """``MOMENT-LANGUAGE-SIZE.png``: the section; with ``-line``, what the page says at its top."""
        if self._folder is None:
            return
        from playwright.sync_api import sync_playwright

        self._folder.mkdir(parents=True, exist_ok=True)
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            for language, path in (("pt", ""), ("en", "en")):
                for size, (width, height) in _SIZES.items():
                    self._visit(chromium, path, (width, height), f"{moment}-{language}-{size}")
            chromium.close()

    def _visit(self, chromium: Browser, path: str, size: tuple[int, int], name: str) -> None:
        page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
        page.on("response", self._count)
        page.goto(f"{self._base}/{path}", wait_until="networkidle")
        page.locator("#uptime-table summary").wait_for(timeout=_WAIT)
        page.locator("#uptime").screenshot(path=self._folder / f"{name}.png")
        page.locator("#status").screenshot(path=self._folder / f"{name}-line.png")
        page.close()

    def _count(self, response: Response) -> None:
        if "/api/v1/skills/" in response.url:
            self._caller.saw(response.url, response.status, response.json())
