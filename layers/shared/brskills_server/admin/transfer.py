"""Everything of one store into another, counted."""

from __future__ import annotations

from brskills_server.admin.commands import Refused
from brskills_server.runtime.local import configured_store, move_store, shown_store
from brskills_server.runtime.transfer import NotEmpty

__all__ = ["move"]

_SECONDS = 60
"""How long an operation may take: one of them writes a whole store."""


def move(source: str, target: str | None) -> None:
    """Copy a store and print what was copied; raises ``Refused`` where the target is not empty."""
    configured = configured_store()
    target = target or configured
    if source == target:
        raise Refused("that is the same store twice")
    try:
        moved = move_store(source, target, _SECONDS)
    except NotEmpty:
        raise Refused(f"{shown_store(target)} is not empty, and nothing of it was changed") from None
    print("".join(f"{kind:<10}{count}\n" for kind, count in sorted(moved.items())), end="")
    print(f"moved to {shown_store(target)}, read again there and found equal; the source is as it was")
