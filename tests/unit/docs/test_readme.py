"""The two READMEs: of one structure, with the QR code of the call they show."""

import json
import re

import pytest
import zxingcpp
from PIL import Image

from brcode.qr import qr_png
from tests.services.gateway import ROOT

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
QR = ROOT / "docs/images/qr.png"
README = ["README.md", "README.pt-BR.md"]


def blocks(name: str) -> list[tuple[str, str]]:
    """Return kind and text of each block of code, without the shell's comments."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return [(kind, re.sub(r" +# .*", "", block)) for kind, block in BLOCK.findall(text)]


@pytest.mark.parametrize("name", README)
def test_it_shows_the_qr_of_its_example(name: str) -> None:
    assert "](docs/images/qr.png)" in (ROOT / name).read_text(encoding="utf-8")
    brcode = next(
        json.loads(block)["brcode"] for kind, block in blocks(name) if "brcode" in block and kind == "json"
    )
    assert QR.read_bytes() == qr_png(brcode, 4)
    (found,) = zxingcpp.read_barcodes(Image.open(QR))
    assert found.text == brcode


def test_both_have_the_same_blocks_and_headings() -> None:
    assert blocks(README[0]) == blocks(README[1])
    levels = [re.findall(r"^#+", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE) for name in README]
    assert levels[0] == levels[1]
