"""The address of a dynamic code's charge or of a recurrence: host and path without a protocol.

Source: BCB Manual de Padrões para Iniciação do Pix 2.10.0 §2.5.2: ``FQDN/optional path/marker/token``. The
marker says what is there: ``cobv`` a due charge, ``rec`` a recurrence, ``cob`` or none an immediate charge.
"""

import re
from collections.abc import Callable

from brcode.errors import InvalidCharge
from brcode.model import Adjustment

MARKERS = ("cob", "cobv", "rec")
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?"
_HOST = rf"{_LABEL}(?:\.{_LABEL})*"
_ADDRESS = r"(?:.*\.)?(?:[0-9]+|0[xX][0-9A-Fa-f]*)"  # an IP address, whatever its notation
_PATH = r"[!#-;=?-\[\]_a-z~]+"  # without the characters that RFC 3986 excludes


def has_protocol(location: str) -> bool:
    """Return whether ``location`` begins with a protocol, which a code must not carry."""
    return "://" in location and "/" not in location.partition("://")[0]


def has_form(location: str) -> bool:
    """Return whether ``location`` is the name of a host, and a path of RFC 3986 that ends in a token."""
    host, _, path = location.partition("/")
    token = path.partition("?")[0].rpartition("/")[2]
    return bool(
        token not in ("", ".", "..", *MARKERS)
        and re.fullmatch(_PATH, path)
        and re.fullmatch(_HOST, host)
        and not re.fullmatch(_ADDRESS, host)
    )


def has_host_and_path(location: str) -> bool:
    """Return whether ``location`` has a host of any kind and a path, in printable ASCII."""
    return re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9._:-]*[A-Za-z0-9])?/[!-~]+", location) is not None


def is_unusual(location: str) -> bool:
    """Return whether no bank asks for ``location``: its host has no dot, or a ``#`` cuts off its end."""
    return "." not in location.partition("/")[0] or "#" in location


def location_kind(location: str) -> str | None:
    """Return the marker of a location, one of ``MARKERS``; ``None`` without one."""
    marker = location.partition("?")[0].lower().split("/")[1:][-2:-1]
    return marker[0] if marker and marker[0] in MARKERS else None


def same_host(location: str, other: str) -> bool:
    """Return whether two locations have one host, as those of one code must (manual 2.10.0 §2.8.3).

    A protocol, which neither may have, is left out.
    """
    hosts = {re.sub(r"\A[A-Za-z]+://", "", each).partition("/")[0].lower() for each in (location, other)}
    return len(hosts) == 1


def fit_location(
    field: str, location: str, limit: int, is_right: Callable[[str], bool] = has_form
) -> tuple[str, tuple[Adjustment, ...]]:
    """Return ``location`` for the code, at most ``limit`` characters, and the steps that changed it.

    ``is_right``: the test of its form; a location that is only to be asked may have any host. Raise
    ``InvalidCharge`` with ``invalid_characters``, ``invalid_url`` or ``too_long``.
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
    if not is_right(short):
        raise InvalidCharge.of(field, "invalid_url")
    if len(short) > limit:
        raise InvalidCharge.of(field, "too_long", limit=limit, length=len(short))
    return short, tuple(steps)
