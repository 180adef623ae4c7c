"""Where a dynamic code's charge or a recurrence lies: host and path, at most 77 characters, no protocol.

Source: BCB Manual de Padrões para Iniciação do Pix v2.2 §1.6.3.

>>> prepare("location", "https://pix.example.com/qr/v2/abc")[0]
'pix.example.com/qr/v2/abc'
"""

import re

from brcode.errors import InvalidCharge, Issue
from brcode.model import Adjustment

__all__ = ["has_form", "has_protocol", "prepare"]

_LONGEST = 77
_FORM = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?::[0-9]{1,5})?/[!-~]+"


def has_protocol(location: str) -> bool:
    """Whether ``location`` begins with a protocol, which a code must not carry."""
    return "://" in location and "/" not in location.partition("://")[0]


def has_form(location: str) -> bool:
    """Whether ``location`` is a host, perhaps a port, and a path in printable ASCII."""
    return re.fullmatch(_FORM, location) is not None


def prepare(field: str, location: str) -> tuple[str, tuple[Adjustment, ...]]:
    """``location`` as it can stand in the code, and the steps that changed it.

    Raises ``InvalidCharge`` with ``invalid_type``, ``invalid_characters``, ``invalid_url`` or ``too_long``.
    """
    if not isinstance(location, str):
        raise _invalid(field, "invalid_type", expected="text", got=type(location).__name__)
    steps = []
    bare = location.strip()
    if bare != location:
        steps.append(Adjustment(field, location, bare, "espacos"))
    protocol, mark, rest = bare.partition("://")
    short = rest if mark and protocol.lower() in ("https", "http") else bare
    if short != bare:
        steps.append(Adjustment(field, bare, short, "protocolo"))
    if not (short.isascii() and short.isprintable()) or " " in short:
        raise _invalid(field, "invalid_characters")
    if not has_form(short):
        raise _invalid(field, "invalid_url")
    if len(short) > _LONGEST:
        raise _invalid(field, "too_long", limit=_LONGEST, length=len(short))
    return short, tuple(steps)


def _invalid(field: str, code: str, **params: str | int) -> InvalidCharge:
    return InvalidCharge((Issue(field, code, params),))
