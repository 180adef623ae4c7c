"""The address of a dynamic code's charge or of a recurrence: host and path without a protocol.

Source: BCB Manual de Padrões para Iniciação do Pix v2.2 §1.6.3.
"""

import re

from brcode.errors import InvalidCharge
from brcode.model import Adjustment

_KINDS = frozenset(("cob", "cobv", "rec"))
_FORM = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?::[0-9]{1,5})?/[!-~]+"


def has_protocol(location: str) -> bool:
    """Return whether ``location`` begins with a protocol, which a code must not carry."""
    return "://" in location and "/" not in location.partition("://")[0]


def has_form(location: str) -> bool:
    """Return whether ``location`` is a host, perhaps a port, and a path in printable ASCII."""
    return re.fullmatch(_FORM, location) is not None


def location_kind(location: str) -> str | None:
    """Return the kind of payload that the segment before the token names: ``cob``, ``cobv`` or ``rec``.

    ``None`` without such a segment: an immediate charge needs none (manual 2.10.0 §2.5.2).
    """
    kind = location.partition("/")[2].rpartition("/")[0].rpartition("/")[2].lower()
    return kind if kind in _KINDS else None


def same_host(location: str, other: str) -> bool:
    """Return whether two locations have one host (manual 2.10.0 §2.8.3)."""
    hosts = {each.partition("/")[0].lower().removesuffix(":443") for each in (location, other)}
    return len(hosts) == 1


def fit_location(field: str, location: str, limit: int) -> tuple[str, tuple[Adjustment, ...]]:
    """Return ``location`` for the code, at most ``limit`` characters, and the steps that changed it.

    Raise ``InvalidCharge`` with ``invalid_characters``, ``invalid_url`` or ``too_long``.
    """
    steps = []
    bare = location.strip()
    if bare != location:
        steps.append(Adjustment(field, location, bare, "espacos"))
    protocol, mark, rest = bare.partition("://")
    short = rest if mark and protocol.lower() in ("https", "http") else bare
    if short != bare:
        steps.append(Adjustment(field, bare, short, "protocolo"))
    if not (short.isascii() and short.isprintable()) or " " in short:
        raise InvalidCharge.of(field, "invalid_characters")
    if not has_form(short):
        raise InvalidCharge.of(field, "invalid_url")
    if len(short) > limit:
        raise InvalidCharge.of(field, "too_long", limit=limit, length=len(short))
    return short, tuple(steps)
