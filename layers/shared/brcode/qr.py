"""The code as a QR symbol that phones read: error correction M, or better where it costs no size.

The quiet zone of four modules is that of ISO/IEC 18004. The library that draws is imported when something is
drawn: most callers want the text only.
"""

from __future__ import annotations

from io import BytesIO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from segno import QRCode

__all__ = ["qr_png", "qr_svg"]

_QUIET_ZONE = 4  # modules
_PIXELS = 8  # a module, so that the longest code is still under 1000 pixels wide


def qr_svg(payload: str) -> str:
    """An SVG document of ``payload``, to be scaled at will."""
    out = BytesIO()
    _symbol(payload).save(out, kind="svg", border=_QUIET_ZONE, scale=_PIXELS, unit="px", light="#fff")
    return out.getvalue().decode()


def qr_png(payload: str) -> bytes:
    """A black and white PNG of ``payload``, eight pixels a module."""
    out = BytesIO()
    _symbol(payload).save(out, kind="png", border=_QUIET_ZONE, scale=_PIXELS)
    return out.getvalue()


def _symbol(payload: str) -> QRCode:
    import segno

    return segno.make_qr(payload, error="m")
