"""Where a key is kept: a file that its owner alone can read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from brskills.errors import ConfigurationError
from brskills.settings import NoKey

__all__ = ["KeyFileExists", "ReadableKeyFile", "new_key_file", "read_key"]


class _KeyFileFault(ConfigurationError):
    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path


class KeyFileExists(_KeyFileFault):
    """There is a key already."""


class ReadableKeyFile(_KeyFileFault):
    """Others than its owner can read it."""


def read_key(path: Path) -> str:
    """The key in a file; raises ``ReadableKeyFile``, ``NoKey`` where there is none, and ``OSError``."""
    with path.open(encoding="ascii", errors="replace") as file:
        if os.name == "posix" and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
            raise ReadableKeyFile(path, "others can read it (chmod 600)")
        key = file.read(1024).strip()
    if not key:
        raise NoKey("the key's file is empty")
    return key


@contextmanager
def new_key_file(path: Path) -> Iterator[TextIO]:
    """A new file for a key, open before there is one: a key that cannot be kept should not be asked for.

    It is gone again if the block fails. Raises ``KeyFileExists`` and ``OSError``.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise KeyFileExists(path, "holds a key already") from None
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            yield file
    except BaseException:
        path.unlink()
        raise
