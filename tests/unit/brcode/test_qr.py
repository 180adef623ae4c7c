"""The drawing, read back by an independent reader."""

import re
import struct
import zlib

import pytest
import zxingcpp

from brcode import encode, qr_png, qr_svg
from tests.unit.brcode.samples import CPF, PLACE, SHOP

LONGEST = encode(
    location="h.co/" + "x" * 72,
    recurrence_location="h.co/" + "y" * 72,
    merchant_name="N" * 25,
    merchant_city="C" * 15,
    amount="9999999999.99",
    postal_code="70074900",
    single_use=True,
).payload
CODES = [encode(key=CPF, **SHOP).payload, encode(location=PLACE, **SHOP).payload, LONGEST, "a" * 512]


def pixels(png):
    """Width, and rows of booleans (dark), of a grey or palette PNG of one bit a pixel."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    assert (depth, colour) == (1, 0)
    data, at = b"", 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        at += 12 + size
    raw = zlib.decompress(data)
    stride = (width + 7) // 8 + 1
    rows = []
    line = bytes(stride)
    for y in range(height):
        above, line = line, raw[y * stride : (y + 1) * stride]
        assert line[0] in (0, 2)  # as it is, or the difference from the line above
        if line[0] == 2:
            line = bytes((value + over) & 255 for value, over in zip(line, above, strict=True))
        rows.append([not line[1 + x // 8] >> (7 - x % 8) & 1 for x in range(width)])
    return width, rows


def read(rows):
    view = memoryview(bytearray(0 if dark else 255 for row in rows for dark in row))
    (symbol,) = zxingcpp.read_barcodes(view.cast("B", shape=[len(rows), len(rows[0])]))
    return symbol


@pytest.mark.parametrize("payload", CODES, ids=len)
def test_png_reads_back_and_has_a_quiet_zone(payload):
    width, rows = pixels(qr_png(payload))
    assert width == len(rows)
    symbol = read(rows)
    assert symbol.text == payload
    assert str(symbol.ec_level) in "MQH"
    zone = 4 * 8  # the quiet zone
    assert not any(any(row) for row in (*rows[:zone], *rows[-zone:]))
    assert not any(any((*row[:zone], *row[-zone:])) for row in rows)
    assert rows[zone][zone]  # and no more than four: the finder pattern begins here


@pytest.mark.parametrize("payload", CODES, ids=len)
def test_svg_draws_the_same_modules(payload):
    svg = qr_svg(payload)
    assert svg.startswith("<?xml")
    width, rows = pixels(qr_png(payload))
    modules = [row[4::8] for row in rows[4::8]]
    drawn = svg_modules(svg, len(modules))
    assert drawn == modules
    assert f'width="{width}px" height="{width}px" viewBox="0 0 {width} {width}"' in svg  # it may be scaled
    assert read([[dark for dark in row for _ in range(8)] for row in drawn for _ in range(8)]).text == payload


def svg_modules(svg, size):
    """The dark modules of the one stroked path, whose moves are relative and lines horizontal."""
    path = re.search(r'class="qrline" stroke="#000" d="([^"]+)"', svg)[1]
    grid = [[False] * size for _ in range(size)]
    x = y = 0.0
    for command, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", path):
        if command == "M":
            x, y = float(first), float(second)
        elif command == "m":
            x, y = x + float(first), y + float(second)
        else:
            for column in range(int(x), int(x + float(first))):
                grid[int(y)][column] = True
            x += float(first)
    return grid


def test_drawing_is_deterministic():
    assert qr_png(LONGEST) == qr_png(LONGEST)
    assert qr_svg(LONGEST) == qr_svg(LONGEST)
