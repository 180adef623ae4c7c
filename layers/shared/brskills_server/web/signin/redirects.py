"""Redirect addresses that a client may register: ``https``, loopback, or a program's scheme (RFC 8252 §7)."""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlencode

MAX_LETTERS = 1000
PROGRAMS = frozenset({"cursor", "vscode", "vscode-insiders", "windsurf"})
"""Schemes of popular programs that have no dot, against RFC 8252."""

_REST = r"(?P<rest>(?:[/?][!$-;=?-Z_a-z~\[\]]*)?)"  # neither " nor # < > \ ^ ` { | }
_WEB = re.compile(
    r"https://(?P<host>[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)(?P<port>:[0-9]{1,5})?" + _REST
)
_LOOPBACK = re.compile(r"http://(?P<host>127\.0\.0\.1|\[::1\]|localhost)(?P<port>:[0-9]{1,5})?" + _REST)
_PROGRAM = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*):[!$-;=?-Z_a-z~]+")
_DOTS = re.compile(r"(?:^|/)\.{1,2}(?:/|\?|$)")


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of a redirect address.

    ``name``: the host, on loopback with its port, or a program's scheme with a colon. ``source``: its source
    expression in a Content-Security-Policy.
    """

    kind: Literal["web", "loopback", "program"]
    name: str
    source: str


def destination_of(address: str) -> Destination | None:
    """Return the destination of an address, or ``None`` if nobody may register it."""
    if len(address) > MAX_LETTERS:
        return None
    if web := _WEB.fullmatch(address):
        host = web["host"] + (web["port"] or "")
        return Destination("web", host, "https:") if _is_plain(web) else None
    if loopback := _LOOPBACK.fullmatch(address):
        host = loopback["host"] + (loopback["port"] or "")
        # A policy cannot contain a host in brackets.
        source = "http:" if host.startswith("[") else f"http://{host}"
        return Destination("loopback", host, source) if _is_plain(loopback) else None
    program = _PROGRAM.fullmatch(address)
    if program and ("." in program["scheme"] or program["scheme"] in PROGRAMS):
        scheme = program["scheme"] + ":"
        return Destination("program", scheme, scheme)
    return None


def _is_plain(found: re.Match[str]) -> bool:
    """Return whether the port is valid and the path has no dot segments."""
    path = unquote(found["rest"].partition("?")[0])
    return int((found["port"] or ":0")[1:]) < 65_536 and not _DOTS.search(path)


def is_same(registered: str, requested: str) -> bool:
    """Return whether an address is the registered one, on loopback with any port (RFC 8252 §7.3).

    >>> is_same("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb"), is_same("https://a.example/cb", "https://a.example/cb/")
    (True, False)
    """
    return without_port(registered) == without_port(requested) and destination_of(requested) is not None


def without_port(address: str) -> str:
    """Return the address without the port if it is on loopback."""
    found = _LOOPBACK.fullmatch(address)
    return f"http://{found['host']}{found['rest']}" if found else address


def with_parameters(address: str, parameters: dict[str, str]) -> str:
    """Return the address with parameters appended to its query."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode(parameters)}"
