"""That something was copied is said of what the clipboard holds, and only while it is what is shown."""

import io

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

ALLOWED = ["clipboard-read", "clipboard-write"]
COPY = "#pix [data-copy=pix-code]"


def with_code(page: Page) -> Page:
    page.locator("#pix-form .submit button").click()
    expect(page.locator("#pix-measured")).to_contain_text("HTTP 200")
    return page


@pytest.fixture
def page(open_page) -> Page:
    page = with_code(open_page(permissions=ALLOWED))
    page.clock.install(time=0)
    page.clock.pause_at(1)  # or the message would go by itself
    return page


def test_copied_goes_with_the_code(page):
    page.click(COPY)
    expect(page.locator(COPY)).to_have_text("Copiado")
    page.fill("#pix-valor", "99")
    expect(page.locator(COPY)).to_have_text("Copiar")
    expect(page.locator(COPY)).to_be_disabled()


def test_copied_goes_with_the_key(page):
    for copy, label in [
        ("[data-copy=key-shown]", "Copiar a chave"),
        ("[data-copy=pix-samples-code]", "Copiar"),
    ]:
        page.click(copy)
        expect(page.locator(copy)).to_have_text("Copiado")
        page.locator("#key-form .submit button").click()
        expect(page.locator("#key-message")).to_contain_text("Sua chave está pronta")
        expect(page.locator(copy)).to_have_text(label)


def test_what_was_not_copied_is_not_said_to_be(open_page):
    page = with_code(open_page("en"))
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error());"
        " document.execCommand = () => false; }"
    )
    page.click(COPY)
    expect(page.locator(COPY)).to_have_text("Copy the selection")
    expect(page.locator("#pix-code")).to_be_focused()


def test_what_changed_while_it_was_copied_is_not_said_to_be(open_page):
    page = with_code(open_page())
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => new Promise((done) => { window.written = done; }); }"
    )
    page.click(COPY)
    page.fill("#pix-valor", "99")
    page.evaluate("() => window.written()")
    expect(page.locator(COPY)).to_have_text("Copiar")


def test_the_picture_is_that_of_the_code_beside_it(open_page):
    page = open_page(accept_downloads=True)
    pictures = []
    for amount in ["1", "2", "1"]:
        page.fill("#pix-valor", amount)
        with_code(page)
        pictures.append(downloaded(page, "svg").decode())
        page.fill("#pix-valor", "")
        expect(page.locator("[data-download=svg]")).to_be_disabled()
    assert pictures[0] == pictures[2] != pictures[1]


def downloaded(page: Page, kind: str) -> bytes:
    with page.expect_download() as download:
        page.click(f"[data-download={kind}]")
    assert download.value.suggested_filename == f"pix.{kind}"
    return bytes(download.value.path().read_bytes())


def test_pictures_have_the_size_that_was_chosen(open_page):
    page = with_code(open_page(accept_downloads=True))
    sizes = page.locator("#pix-size option").all_text_contents()
    assert len(sizes) == 3
    for label in sizes:
        pixels = int(label.removesuffix(" px"))
        page.select_option("#pix-size", label=label)
        picture = Image.open(io.BytesIO(downloaded(page, "png")))
        assert picture.size == (pixels, pixels)
        (symbol,) = zxingcpp.read_barcodes(picture)
        assert symbol.text == page.locator("#pix-code").input_value()
        assert {colour for _, colour in picture.convert("RGB").getcolors() or []} == {(0, 0, 0), (255,) * 3}
        assert f'width="{pixels}px" height="{pixels}px"' in downloaded(page, "svg").decode()
