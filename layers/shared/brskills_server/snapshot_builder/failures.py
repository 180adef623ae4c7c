"""The causes that end a build (memory, disk, damage of the files it made), each with what to do about it."""

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from brskills_server.snapshot_builder.errors import SnapshotError

_FULL = {errno.ENOSPC, errno.EDQUOT}
_OF_STATEMENTS = (
    duckdb.BinderException,
    duckdb.CatalogException,
    duckdb.ParserException,
    duckdb.SyntaxException,
    sqlite3.ProgrammingError,
)
"""A wrong statement, which is a defect of the builder: another run would end with it too."""
_KEPT = "what was done is kept, and the next run continues from there"


class DamagedError(Exception):
    """The build's own files cannot be read, as after a power failure: they must be made again."""


def size_text(number: int) -> str:
    """Return a number of bytes as text."""
    return f"{number / 1e9:.1f} GB" if number >= 1e8 else f"{number / 1e6:.1f} MB"


@contextmanager
def named_failures(folder: Path, needed: int) -> Iterator[None]:
    """Raise `SnapshotError` for memory and disks, and `DamagedError` for damaged files of the databases.

    ``folder``: where the build works; ``needed``: bytes of disk that a whole build takes there.
    """
    try:
        yield
    except (duckdb.Error, sqlite3.Error, OSError, MemoryError) as error:
        if _is_full(error):
            free = size_text(shutil.disk_usage(folder).free)
            raise SnapshotError(
                f"the disk of {folder} is full ({free} free): a whole build takes up to {size_text(needed)}"
                f" there; {_KEPT}"
            ) from None
        if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
            raise SnapshotError(
                f"the memory is not enough: end other processes, or give the machine more; {_KEPT}"
            ) from None
        if isinstance(error, (OSError, *_OF_STATEMENTS)):
            raise
        raise DamagedError(f"{type(error).__module__}.{type(error).__name__}") from None  # may quote a row


def _is_full(error: Exception) -> bool:
    """Return whether a disk or its quota is full. DuckDB says so in its message alone."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return any(said in str(error) for said in ("No space left", "quota exceeded", "max_temp_directory_size"))
