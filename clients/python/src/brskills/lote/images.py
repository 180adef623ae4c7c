"""The QR codes of a table's Pix codes as image files; drawn here, without another call."""

from collections.abc import Sequence
from pathlib import Path

from brcode import qr_png, qr_svg

COLUMN = "arquivo_qr"


def write_images(folder: Path, form: str, records: Sequence[dict[str, str]]) -> int:
    """Write an image for each code and put its name into the record. Return how many.

    ``form``: ``png`` or ``svg``. Raise `OSError`.
    """
    count = 0
    for position, record in enumerate(records, start=1):
        if code := record.get("brcode"):
            file = folder / f"linha-{position:05d}.{form}"
            file.write_bytes(qr_png(code) if form == "png" else qr_svg(code).encode())
            record[COLUMN] = file.name
            count += 1
    return count
