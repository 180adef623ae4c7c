"""QR symbols, decoded by an independent library."""

import re
from io import BytesIO

import pytest
import zxingcpp
from PIL import Image, ImageOps

from brcode import encode, qr_png, qr_svg
from tests.unit.brcode.samples import CPF, PLACE, SHOP

LONGEST = encode(
    key=CPF,
    description="x" * 62,
    recurrence_location="h.co/" + "y" * 72,
    merchant_name="N" * 25,
    merchant_city="C" * 15,
    amount="9999999999.99",
    postal_code="70074900",
    single_use=True,
).payload
CODES = [encode(key=CPF, **SHOP).payload, encode(location=PLACE, **SHOP).payload, LONGEST, "a" * 512]


def drawing(png):
    image = Image.open(BytesIO(png))
    assert (image.format, image.mode) == ("PNG", "1")
    return image.convert("L")


def read(image):
    (symbol,) = zxingcpp.read_barcodes(image)
    return symbol


@pytest.mark.parametrize("payload", CODES, ids=len)
def test_png_reads_back_and_has_a_quiet_zone_of_four_modules(payload):
    image = drawing(qr_png(payload))
    symbol = read(image)
    assert symbol.text == payload
    assert str(symbol.ec_level) in "MQH"
    size, zone = image.width, 4 * 8
    assert ImageOps.invert(image).getbbox() == (zone, zone, size - zone, size - zone)


@pytest.mark.parametrize("payload", CODES, ids=len)
def test_svg_draws_the_same_modules(payload):
    svg, image = qr_svg(payload), drawing(qr_png(payload))
    size = image.width
    assert svg.startswith("<?xml")
    assert f'width="{size}px" height="{size}px" viewBox="0 0 {size} {size}"' in svg  # it may be scaled
    drawn = svg_modules(svg, size // 8).resize(image.size, Image.Resampling.NEAREST)
    assert drawn.tobytes() == image.tobytes()
    assert read(drawn).text == payload


def svg_modules(svg, size):
    """Draw the one stroked path, whose moves are relative and lines horizontal, with a pixel a module."""
    path = re.search(r'class="qrline" stroke="#000" d="([^"]+)"', svg)[1]
    image = Image.new("L", (size, size), 255)
    x = y = 0.0
    for command, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", path):
        if command == "h":
            image.paste(0, (int(x), int(y), int(x + float(first)), int(y) + 1))
        elif command == "M":
            x = y = 0.0
        x, y = x + float(first), y + float(second or 0)
    return image


def test_drawing_is_deterministic():
    assert qr_png(LONGEST) == qr_png(LONGEST)
    assert qr_svg(LONGEST) == qr_svg(LONGEST)
