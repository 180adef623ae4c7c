"""The causes that end a build (memory, disk, damage of the files it made), each with what to do about it."""

import errno
import re
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
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_OF_PARQUET = re.compile(
    "too small to be a Parquet|magic bytes|TProtocol|don't know what type|corrupt|decompress|deserializ",
    re.IGNORECASE,
)
_KEPT = "what was done is kept, and the next run continues from there"


class DamagedError(Exception):
    """The build's own files cannot be read, as after a power failure: they must be made again."""


def size_text(number: int) -> str:
    """Return a number of bytes as text."""
    return f"{number / 1e9:.1f} GB" if number >= 1e8 else f"{number / 1e6:.1f} MB"


@contextmanager
def named_failures(folder: Path, needed: int) -> Iterator[None]:
    """Raise `SnapshotError` for what the machine lacks, and `DamagedError` for damaged files of the build.

    ``folder``: where the build works; ``needed``: bytes of disk that a whole build takes there.
    """
    try:
        yield
    except _OF_STATEMENTS:
        raise
    except (duckdb.Error, sqlite3.Error, OSError, MemoryError, RuntimeError) as error:
        if _is_full(error):
            free = size_text(shutil.disk_usage(folder).free)
            raise SnapshotError(
                f"the disk of {folder} is full ({free} free): a whole build takes up to {size_text(needed)}"
                f" there; {_KEPT}"
            ) from None
        if _lacks_memory(error):
            raise SnapshotError(
                f"the memory is not enough: end other processes, or give the machine more; {_KEPT}"
            ) from None
        name = f"{type(error).__module__}.{type(error).__name__}"  # the message may quote a row
        if _is_damage(error):
            raise DamagedError(name) from None
        if isinstance(error, OSError | RuntimeError):
            raise
        raise SnapshotError(
            f"{name}: {_KEPT}. If it ends so again, delete {folder} and build once more"
        ) from None


def _is_full(error: Exception) -> bool:
    """Return whether a disk or its quota is full. DuckDB says so in its message alone."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return any(said in str(error) for said in ("No space left", "quota exceeded", "max_temp_directory_size"))


def _lacks_memory(error: Exception) -> bool:
    if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
        return True
    said = str(error)  # of DuckDB's and Python's threads, and of libraries that could not be loaded
    return "can't start new thread" in said or "Cannot allocate memory" in said


def _is_damage(error: Exception) -> bool:
    """Return whether a file of rows, or the snapshot's, is not as it was written."""
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
    return isinstance(error, duckdb.Error) and _OF_PARQUET.search(str(error)) is not None
