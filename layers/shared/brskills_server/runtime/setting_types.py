"""Types of settings: functions from text to value; a ``ValueError`` continues a sentence after the name."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from brskills_server.accounts.account import DEMO
from brskills_server.accounts.email_address import is_plain_address
from brskills_server.accounts.plans import PLANS
from brskills_server.registry.providers import PROVIDER_IDS
from brskills_server.runtime.settings_reader import quoted

STORE_FORMS = "takes sqlite:///PATH, postgresql://…, dynamodb or memory"

_MAX_DIGITS = 80  # Python refuses to convert thousands of digits, with a message of another form
_LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")

Network = IPv4Network | IPv6Network


def whole(least: int = 0, most: int = 10**12) -> Callable[[str], int]:
    """Return the type of whole numbers within bounds."""

    def parse(value: str) -> int:
        if not value.isascii() or not value.isdigit():
            raise ValueError(f"must be a whole number, not {quoted(value)}")
        if len(value) > _MAX_DIGITS or not least <= int(value) <= most:
            raise ValueError(f"must be from {least} to {most}, not {quoted(value)[1:-1]}")
        return int(value)

    return parse


def choice(*words: str) -> Callable[[str], str]:
    """Return the type of a few words."""

    def parse(value: str) -> str:
        if value not in words:
            raise ValueError(f"takes {', '.join(words)}")
        return value

    return parse


def log_level(value: str) -> str:
    """Return a level of ``logging`` by its name, in upper case."""
    return choice(*_LOG_LEVELS)(value.upper())


def word(value: str) -> str:
    """Return visible ASCII characters; the message does not repeat them, for they may be a secret."""
    if not re.fullmatch("[!-~]*", value):
        raise ValueError("takes visible ASCII characters without blanks")
    return value


def store_address(value: str) -> str:
    """Return a store's address; the message does not repeat it, for it may hold a password."""
    name = value.partition(":")[0]
    if name != value and name in {"dynamodb", "memory"}:
        raise ValueError(f"{STORE_FORMS}; nothing follows {name}")
    if not re.fullmatch("[a-z]+", name) or find_spec(f"brskills_server.adapters.{name}") is None:
        raise ValueError(f"{STORE_FORMS}; it names no store of this installation")
    return value


def provider_ids(value: str) -> tuple[str, ...]:
    """Return ids of registry providers, in order of preference."""
    names = _items(value)
    unknown = ", ".join(sorted(set(names) - set(PROVIDER_IDS)))
    if unknown or not names:
        raise ValueError(f"takes some of {', '.join(PROVIDER_IDS)}, not {quoted(unknown)}")
    if len({*names}) < len(names):
        raise ValueError("takes each provider once")
    return names


def paid_plans(value: str) -> frozenset[str]:
    """Return names of plans, without that of the public demo key."""
    known, named = PLANS.keys() - {DEMO}, frozenset(_items(value))
    if not named or not named <= known:
        unknown = ", ".join(sorted(named - known))
        raise ValueError(f"takes some of {', '.join(sorted(known))}, not {quoted(unknown)}")
    return named


def skill_plans(value: str) -> dict[str, frozenset[str]]:
    """Return plans by skill.

    >>> sorted(skill_plans("look_up_bank=enterprise+pro")["look_up_bank"])
    ['enterprise', 'pro']
    """
    known = PLANS.keys() - {DEMO}
    found: dict[str, frozenset[str]] = {}
    for part in _items(value):
        skill, plans = (side.strip() for side in part.partition("=")[::2])
        named = frozenset(plan.strip() for plan in plans.split("+"))
        if not skill or skill in found or not named <= known:
            raise ValueError(
                f"takes each skill once with some of {', '.join(sorted(known))}, as "
                f"look_up_bank=enterprise+pro, not {quoted(part)}"
            )
        found[skill] = named
    return found


def origins(value: str) -> tuple[str, ...]:
    """Return origins of web pages (RFC 6454)."""
    found = _items(value)
    if not all(re.fullmatch(r"[a-z][a-z0-9+.-]*://[^\s/?#]+", origin) for origin in found):
        raise ValueError("takes origins as browsers write them, as https://app.example.com")
    return found


def networks(value: str) -> tuple[Network, ...]:
    """Return IP addresses and networks."""
    found = []
    for part in _items(value):
        try:
            found.append(ip_network(part, strict=False))
        except ValueError:
            raise ValueError(f"takes addresses or networks, not {quoted(part)}") from None
    return tuple(found)


def host(value: str) -> str:
    """Return a host's name or address to listen at."""
    try:
        value.encode("idna")
    except UnicodeError:
        raise ValueError(f"takes a name or an address, not {quoted(value)}") from None
    if not value.isprintable() or " " in value:
        raise ValueError(f"takes a name or an address, not {quoted(value)}")
    return value


def listening_address(value: str) -> tuple[str, int]:
    """Return host and port of ``port`` or ``host:port``.

    >>> listening_address("9100"), listening_address("[::1]:9100")
    (('127.0.0.1', 9100), ('::1', 9100))
    """
    name, _, port = value.rpartition(":")
    return host(name.removeprefix("[").removesuffix("]") or "127.0.0.1"), whole(0, 65_535)(port)


def certificate_file(value: str) -> str:
    """Return the path of a file of certificates in PEM, or an empty one."""
    with suppress(OSError, ValueError):
        if not value or b"-----BEGIN CERTIFICATE-----" in Path(value).read_bytes():
            return value
    raise ValueError(f"takes a file of certificates in PEM; {quoted(value)} is none")


def destinations(value: str) -> dict[str, tuple[str, int]]:
    """Return by host where to connect instead, as curl's ``--connect-to`` names it.

    >>> destinations("pix.example.com:443:127.0.0.1:8443")
    {'pix.example.com': ('127.0.0.1', 8443)}
    """
    found = {}
    for part in _items(value):
        match = re.fullmatch(r"([^:]+):443:([^:]+|\[[0-9a-fA-F:.]+\]):(\d+)", part)
        if match is None:
            raise ValueError(f"takes host:443:host:port, not {quoted(part)}")
        instead = host(match[2].removeprefix("[").removesuffix("]"))
        found[host(match[1]).lower()] = (instead, whole(1, 65_535)(match[3]))
    return found


def page_address(url: str) -> str:
    """Return the address of a page in a form that is safe in a link; empty: no page."""
    if url and not (re.fullmatch(r"https?://[!#-;=?-~]+", url) and _has_host(url)):
        raise ValueError("takes the address of a page, as https://brskills.example/privacidade")
    return url


def server_address(url: str) -> str:
    """Return scheme, host, port and path of a server, without a slash at the end; empty: no server."""
    if url and not (
        re.fullmatch(r"https?://([^\s/?#:\[\]]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[^\s?#]*)?", url)
        and _has_host(url)
    ):
        raise ValueError("takes scheme, host and port, as https://cnpj.example:8443")
    return url.rstrip("/")


def email_address(value: str) -> str:
    """Return an e-mail address; empty: none."""
    if value and not is_plain_address(value):
        raise ValueError("takes an e-mail address, as ajuda@brskills.example")
    return value


def registry_name(value: str) -> str:
    """Return a name in MCP registries: a domain in reverse, and a name below it."""
    label = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
    pattern = rf"{label}(\.{label})+/[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?"
    if len(value) > 200 or not re.fullmatch(pattern, value):
        raise ValueError("takes a domain in reverse and a name, as com.example/brskills")
    return value


def _items(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _has_host(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is out of range, or the brackets are not an IPv6 address
        return False
