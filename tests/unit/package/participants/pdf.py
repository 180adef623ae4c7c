"""A PDF of the form that the central bank's list has: turned pages, cells centred on a row's number."""

from collections.abc import Iterable, Sequence

Placed = tuple[float, float, str]
"""Points from the left, points from the top, text."""

_FONT = "<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>"


def pdf(pages: Sequence[Iterable[Placed]]) -> bytes:
    """Return a PDF with these pages."""
    kids = " ".join(f"{3 + 2 * n} 0 R" for n in range(len(pages)))
    parts = ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>"]
    for page in pages:
        drawn = "".join(f"BT /F 6 Tf 0 1 -1 0 {y} {x} Tm ({text}) Tj ET\n" for x, y, text in page)
        parts.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Rotate 90/Resources<</Font{_FONT}>>"
            f"/Contents {len(parts) + 2} 0 R>>"
        )
        parts.append(f"<</Length {len(drawn)}>>stream\n{drawn}endstream")
    objects = "".join(f"{number} 0 obj\n{part}\nendobj\n" for number, part in enumerate(parts, 1))
    return f"%PDF-1.4\n{objects}trailer\n<</Root 1 0 R>>\n".encode("windows-1252")


def cells(y: float, *columns: tuple[float, Sequence[str]]) -> list[Placed]:
    """Return the lines of a row's cells, eight points apart around ``y``."""
    return [
        (x, y + 8 * (place - (len(lines) - 1) / 2), text)
        for x, lines in columns
        for place, text in enumerate(lines)
    ]
