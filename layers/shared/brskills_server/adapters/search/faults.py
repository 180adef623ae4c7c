"""Failures of a month's files as the search's ``StoreFault``."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from brskills_server.registry.store import StoreFault


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise ``StoreFault`` for a file that is damaged or cannot be read, or not in time."""
    try:
        yield
    except (OSError, sqlite3.Error, ValueError, KeyError) as error:
        raise StoreFault(f"the search: {error}") from error
