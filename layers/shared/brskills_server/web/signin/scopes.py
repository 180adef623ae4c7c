"""What a client may be allowed, in the words of the protocol: one scope for each kind of skill."""

from collections.abc import Iterable

from brskills_server.skills.catalogue import SCOPES

__all__ = ["ALL", "as_text", "read"]

ALL = frozenset(SCOPES)
"""Every scope there is; what a client gets that asks for none."""


def read(text: str | None) -> frozenset[str]:
    """The scopes that are asked for, without those that we do not know; empty where we know none of them."""
    return ALL if not (text or "").strip() else ALL & set(str(text).split())


def as_text(scopes: Iterable[str]) -> str:
    """Scopes as the protocol writes them, in the catalogue's order."""
    held = set(scopes)
    return " ".join(scope for scope in SCOPES if scope in held)
