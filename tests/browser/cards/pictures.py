"""``python -m tests.browser.cards.pictures``: take the pictures of the cards in ``docs/images`` again.

Each card is shown as wide as a phone: light in Portuguese, dark in English.
"""

from __future__ import annotations

from io import BytesIO

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import launch
from tests.services.gateway import ROOT, gateway

from .calls import CODE, COMPANY, PAYEE
from .host import CardHost, Server

FOLDER = ROOT / "docs/images"
CARDS = {"pix": CODE, "payee": PAYEE, "company": COMPANY}
LOCALES = {"light": "pt-BR", "dark": "en-US"}
SHARP = {"viewport": {"width": 360, "height": 1400}, "device_scale_factor": 2}
QUALITY = 45  # of 100; below 30 KB each


def take(browser: Browser, server: Server, name: str, theme: str) -> None:
    """Write ``<name>-<theme>.webp``."""
    host = CardHost(browser, server, **SHARP)
    host.show(*CARDS[name], theme=theme, locale=LOCALES[theme])
    if name == "pix":
        host.expect_picture()
    host.page.wait_for_function("frame.clientHeight > 100")
    picture = host.page.locator("iframe").screenshot(animations="disabled")
    Image.open(BytesIO(picture)).save(FOLDER / f"{name}-{theme}.webp", quality=QUALITY, method=6)
    host.close()


def main() -> None:
    """Take every picture, from a gateway that is started here."""
    with gateway() as base, sync_playwright() as playwright:
        server = Server(f"{base}/")
        with launch(playwright) as browser:
            for name in CARDS:
                for theme in LOCALES:
                    take(browser, server, name, theme)
        server.close()


if __name__ == "__main__":
    main()
