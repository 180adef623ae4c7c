"""Whether a file is a zip that can be opened. Check sums are tested while its rows are read."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

__all__ = ["is_readable"]

# What a damaged directory makes ``zipfile`` raise beside its own exception.
_MALFORMED = (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError, struct.error)


def is_readable(path: Path) -> bool:
    """Whether the zip's central directory, which stands at its end, can be read and names a member."""
    try:
        with zipfile.ZipFile(path) as opened:
            return bool(opened.infolist())
    except _MALFORMED:
        return False
