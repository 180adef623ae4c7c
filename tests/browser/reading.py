"""The form for Pix codes, what a camera sees, and what the API says a key has spent."""

import io
import json
import urllib.request

import zxingcpp
from PIL import Image
from playwright.sync_api import Locator, Page


def scan(picture: Locator) -> str:
    """The text of the one QR symbol in a screenshot of an element."""
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture.screenshot())))
    assert [symbol.format for symbol in found] == [zxingcpp.BarcodeFormat.QRCode]
    return str(found[0].text)


def unfold(page: Page, inside: str) -> None:
    """Open the part that an element is folded away in."""
    page.locator(inside).evaluate("(element) => { element.closest('details').open = true; }")


def submit_pix(page: Page) -> None:
    """Press the button of the form for Pix codes."""
    page.locator("#pix-form .submit button").click()


def demo_key(page: Page) -> str:
    """The key that the page starts with."""
    return page.locator("body").get_attribute("data-demo-key") or ""


def calls_of(base: str, key: str) -> int:
    """The calls that a key has spent this month."""
    request = urllib.request.Request(f"{base}api/v1/usage", headers={"X-API-Key": key})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return int(json.load(answer)["chamadas"])
