"""Redirect addresses: which a client may register, which it may use, and what a person is told of them.

Three kinds are taken: ``https`` on the web, ``http`` on this computer (loopback), and a scheme of a program's
own (RFC 8252 §7.1). An address is compared as it is written; on loopback any port is the right one, for a
program is given another at each start (§7.3).
"""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlencode

__all__ = ["Destination", "destination_of", "is_same", "with_parameters", "without_port"]

MAX_LETTERS = 1000
PROGRAMS = frozenset({"cursor", "vscode", "vscode-insiders", "windsurf"})
"""Schemes without a dot, against RFC 8252, of programs that are used all the same."""

_REST = r"(?P<rest>(?:[/?][!$-;=?-Z_a-z~\[\]]*)?)"  # neither " nor # < > \ ^ ` { | }
_WEB = re.compile(
    r"https://(?P<host>[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)(?P<port>:[0-9]{1,5})?" + _REST
)
_LOOPBACK = re.compile(r"http://(?P<host>127\.0\.0\.1|\[::1\]|localhost)(?P<port>:[0-9]{1,5})?" + _REST)
_PROGRAM = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*):[!$-;=?-Z_a-z~]+")
_DOTS = re.compile(r"(?:^|/)\.{1,2}(?:/|\?|$)")


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a redirect address leads.

    ``name``: the host, on loopback with its port, or a program's scheme with a colon. ``source``: what stands
    for it in a Content-Security-Policy.
    """

    kind: Literal["web", "loopback", "program"]
    name: str
    source: str


def destination_of(address: str) -> Destination | None:
    """Where an address leads; ``None`` for one that nobody may register."""
    if len(address) > MAX_LETTERS:
        return None
    if web := _WEB.fullmatch(address):
        host = web["host"] + (web["port"] or "")
        return Destination("web", host, "https:") if _is_plain(web) else None
    if loopback := _LOOPBACK.fullmatch(address):
        host = loopback["host"] + (loopback["port"] or "")
        # A policy cannot name a host in brackets.
        source = "http:" if host.startswith("[") else f"http://{host}"
        return Destination("loopback", host, source) if _is_plain(loopback) else None
    program = _PROGRAM.fullmatch(address)
    if program and ("." in program["scheme"] or program["scheme"] in PROGRAMS):
        scheme = program["scheme"] + ":"
        return Destination("program", scheme, scheme)
    return None


def _is_plain(found: re.Match[str]) -> bool:
    """A port that exists, and a path without steps upwards."""
    path = unquote(found["rest"].partition("?")[0])
    return int((found["port"] or ":0")[1:]) < 65_536 and not _DOTS.search(path)


def is_same(registered: str, asked: str) -> bool:
    """Whether an address is the registered one.

    >>> is_same("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb"), is_same("https://a.example/cb", "https://a.example/cb/")
    (True, False)
    """
    return without_port(registered) == without_port(asked) and destination_of(asked) is not None


def without_port(address: str) -> str:
    """The address as a client is known by it: on loopback the port says nothing."""
    found = _LOOPBACK.fullmatch(address)
    return f"http://{found['host']}{found['rest']}" if found else address


def with_parameters(address: str, parameters: dict[str, str]) -> str:
    """The address as it is, with these parameters behind those of its query."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode(parameters)}"
