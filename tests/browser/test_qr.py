"""The page's own drawing of QR symbols, over the lengths that a code may have and beyond."""

import pytest

from functions.site.app import VERSION
from tests.browser.reading import scan

DRAW = """async ([version, content]) => {
  const { qrOf } = await import(new URL(`static/${version}/qr.js`, document.baseURI));
  document.body.replaceChildren(qrOf(content, "QR"));
  document.querySelector("svg").setAttribute("width", 1000);
}"""


STAIN = """() => {
  const svg = document.querySelector("svg");
  const stain = svg.firstChild.cloneNode();
  const side = stain.getAttribute("width");
  for (const [name, value] of [["x", 0.55], ["y", 0.45], ["width", 0.22], ["height", 0.22]]) {
    stain.setAttribute(name, value * side);
  }
  svg.append(stain);
}"""


def test_symbols_of_every_length_are_read(open_page):
    page = open_page(viewport={"width": 1040, "height": 1040})
    # Each step crosses a version or two; 1 to 24 hold all that a Pix code may be (512 characters) twice over.
    for length in [1, 14, 15, *range(26, 900, 29)]:
        content = ("000201Ab*.@-" * 80)[:length]
        page.evaluate(DRAW, [VERSION, content])
        assert scan(page.locator("svg")) == content, length


@pytest.mark.parametrize("length", [60, 150, 512])
def test_a_stain_is_made_good_by_the_correction(open_page, length):
    page = open_page(viewport={"width": 1040, "height": 1040})
    content = ("000201Ab*.@-" * 80)[:length]
    page.evaluate(DRAW, [VERSION, content])
    page.evaluate(STAIN)
    assert scan(page.locator("svg")) == content


def test_what_no_symbol_holds_is_refused(page):
    with pytest.raises(Exception, match="too long for a QR symbol"):
        page.evaluate(DRAW, [VERSION, "x" * 2332])
