"""The port of a place: where months are put, of which one answers.

Another place is one new file: a class with these four methods.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import NamedTuple, Protocol

__all__ = ["Destination", "KeptSnapshot", "Report", "checked_name"]

Report = Callable[[int], None]
"""Told now and then how many rows have arrived."""

_NAME = re.compile(r"[0-9a-z]+(-[0-9a-z]+)*")


class KeptSnapshot(NamedTuple):
    """A month that is whole in a place; ``current``: it is the one that answers."""

    name: str
    day: date
    current: bool


class Destination(Protocol):
    """Every method may raise ``SnapshotError``. One process at a time changes a place."""

    def snapshots(self) -> list[KeptSnapshot]:
        """The months that are there, newest first."""

    def add(self, file: Path, name: str, report: Report) -> None:
        """Bring in every row of a month's file (``brskills_server.adapters.snapshots.folder``) and check it, not yet in place.

        The count is compared, and a sample of rows is read back. One that was killed can be repeated; a month
        of this name that is there already is made anew.
        """

    def switch(self, name: str) -> None:
        """Put a month in place in one step; the one before stays."""

    def remove(self, name: str) -> None:
        """Delete a month that is not in place, if it is there."""


def checked_name(name: str) -> str:
    """The name, as it may stand in a table's; raises ``ValueError``."""
    if not _NAME.fullmatch(name) or len(name) > 40:
        raise ValueError(f"not a month's name: {name!r}")
    return name
