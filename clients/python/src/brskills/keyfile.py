"""The file of an API key, readable only by its owner."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from brskills.errors import ConfigurationError
from brskills.settings import NoKey

KEY_FILE = Path(click.get_app_dir("brskills")) / "key"
"""The file that `brskills chave` writes by default."""


class _KeyFileError(ConfigurationError):
    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path


class KeyFileExists(_KeyFileError):
    """The file holds a key already."""


class ReadableKeyFile(_KeyFileError):
    """Other users can read the file."""


def read_key(path: Path) -> str:
    """Return the key in a file. Raise `ReadableKeyFile`, `NoKey` if it is empty, or `OSError`."""
    with path.open(encoding="ascii", errors="replace") as file:
        if os.name == "posix" and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
            raise ReadableKeyFile(path, "other users can read it (chmod 600)")
        key = file.read(1024).strip()
    if not key:
        raise NoKey("the key file is empty")
    return key


def saved_key() -> str | None:
    """Return the key in the default file, ``None`` without the file. Raise as `read_key`."""
    try:
        return read_key(KEY_FILE)
    except (FileNotFoundError, NotADirectoryError):
        return None


@contextmanager
def new_key_file(path: Path) -> Iterator[TextIO]:
    """Open a new file before a key is requested: a key that cannot be stored would be lost.

    Remove it if the block fails. Raise `KeyFileExists` or `OSError`.
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
