"""What is in a zip, and whether it can be opened. Check sums are tested while its rows are read."""

from __future__ import annotations

import struct
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

__all__ = ["is_readable", "members_of"]

# What a damaged directory makes ``zipfile`` raise beside its own exception.
_MALFORMED = (ValueError, EOFError, NotImplementedError, struct.error)


def members_of(path: Path) -> list[ZipInfo]:
    """What the zip's central directory, which stands at its end, names.

    Raises ``BadZipFile`` where it cannot be read, and ``OSError``.
    """
    try:
        with ZipFile(path) as opened:
            return opened.infolist()
    except _MALFORMED as wrong:
        raise BadZipFile(str(wrong)) from wrong


def is_readable(path: Path) -> bool:
    """Whether the directory can be read and names a member."""
    try:
        return bool(members_of(path))
    except BadZipFile:
        return False
