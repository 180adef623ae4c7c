"""OAuth scopes: one for each kind of skill."""

from collections.abc import Iterable

from brskills_server.skills.catalogue import SCOPES

ALL = frozenset(SCOPES)


def read(text: str | None) -> frozenset[str]:
    """Return the known scopes of a ``scope`` parameter; all if it is missing or empty."""
    return ALL if not (text or "").strip() else ALL & set(str(text).split())


def as_text(scopes: Iterable[str]) -> str:
    """Return scopes as a ``scope`` parameter, in the catalogue's order."""
    present = set(scopes)
    return " ".join(scope for scope in SCOPES if scope in present)
