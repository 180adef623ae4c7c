"""Drawing a code as a QR symbol: error correction M, or better where the symbol grows no larger for it."""

from io import BytesIO
from typing import Any

QR_MARGIN = 4
"""Modules around a symbol: the quiet zone of ISO/IEC 18004."""
QR_PIXELS = 8
"""Pixels of a module, so that the longest code is still under 1000 pixels wide."""


def qr_svg(payload: str, pixels: int = QR_PIXELS, margin: int = QR_MARGIN) -> str:
    """Return a scalable SVG document of ``payload``; ``pixels`` a module, ``margin`` in modules."""
    out = BytesIO()
    _symbol(payload).save(out, kind="svg", border=margin, scale=pixels, unit="px", light="#fff")
    return out.getvalue().decode()


def qr_png(payload: str, pixels: int = QR_PIXELS, margin: int = QR_MARGIN) -> bytes:
    """Return a black and white PNG of ``payload``; ``pixels`` a module, ``margin`` in modules."""
    out = BytesIO()
    _symbol(payload).save(out, kind="png", border=margin, scale=pixels)
    return out.getvalue()


def _symbol(payload: str) -> Any:
    import segno  # not at the top: it loads slowly, and most callers want the text alone

    return segno.make_qr(payload, error="m")
