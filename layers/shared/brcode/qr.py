"""Drawing a code as a QR symbol: error correction M, or better where the symbol grows no larger for it.

The quiet zone is the four modules of ISO/IEC 18004.
"""

from io import BytesIO
from typing import Any

_QUIET_ZONE = 4  # modules
_PIXELS = 8  # a module, so that the longest code is still under 1000 pixels wide


def qr_svg(payload: str) -> str:
    """Return a scalable SVG document of ``payload``."""
    out = BytesIO()
    _symbol(payload).save(out, kind="svg", border=_QUIET_ZONE, scale=_PIXELS, unit="px", light="#fff")
    return out.getvalue().decode()


def qr_png(payload: str) -> bytes:
    """Return a black and white PNG of ``payload``, eight pixels a module."""
    out = BytesIO()
    _symbol(payload).save(out, kind="png", border=_QUIET_ZONE, scale=_PIXELS)
    return out.getvalue()


def _symbol(payload: str) -> Any:
    import segno  # not at the top: it loads slowly, and most callers want the text alone

    return segno.make_qr(payload, error="m")
