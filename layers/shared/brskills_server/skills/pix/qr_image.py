"""The picture of a code in a JSON answer, and the form of the pictures that ``Accept`` chooses."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from brcode.qr import QR_MARGIN, QR_PIXELS, qr_png, qr_svg
from brskills_server.skills.issues import FieldIssue
from brskills_server.skills.turns import LONG

_DEFAULTS = {"qr_tamanho": QR_PIXELS, "qr_margem": QR_MARGIN}
_NO_FORMAT = {
    "pt": "Obrigatório com qr_tamanho ou qr_margem: png ou svg.",
    "en": "Required with qr_tamanho or qr_margem: png or svg.",
}


def check_format(content: Mapping[str, Any]) -> list[FieldIssue]:
    """Return the issue of a size or margin without ``qr``, which would have no effect.

    Not of the defaults: forms of MCP hosts fill them in.
    """
    sized = any(content.get(name) not in (None, default) for name, default in _DEFAULTS.items())
    missing = sized and content.get("qr") is None
    return [FieldIssue("qr", "required", _NO_FORMAT)] if missing else []


def picture_of(payload: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``qr`` (base64), ``qr_tamanho`` and ``qr_margem`` for a valid request; nothing without ``qr``."""
    if content.get("qr") is None:
        return {}
    asked = content.get("qr_margem")  # may be 0
    pixels, margin = int(content.get("qr_tamanho") or QR_PIXELS), QR_MARGIN if asked is None else int(asked)
    is_png = content["qr"] == "png"
    with LONG:
        drawn = qr_png(payload, pixels, margin) if is_png else qr_svg(payload, pixels, margin).encode()
    return {"qr": b64encode(drawn).decode(), "qr_tamanho": pixels, "qr_margem": margin}


def png(code: Mapping[str, Any]) -> bytes:
    """Return an answer's code as a PNG, in the size and margin of its ``qr``."""
    with LONG:
        return qr_png(code["brcode"], *_form(code))


def svg(code: Mapping[str, Any]) -> str:
    """Return an answer's code as an SVG document, in the size and margin of its ``qr``."""
    with LONG:
        return qr_svg(code["brcode"], *_form(code))


def _form(code: Mapping[str, Any]) -> tuple[int, int]:
    return code.get("qr_tamanho", QR_PIXELS), code.get("qr_margem", QR_MARGIN)
