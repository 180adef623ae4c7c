"""Paths in DuckDB's SQL, whatever characters they have."""

from __future__ import annotations

from collections.abc import Iterable
from glob import escape
from pathlib import Path

__all__ = ["exactly", "quoted"]


def quoted(texts: Iterable[str | Path]) -> str:
    """Texts as literals with commas between them."""
    return ", ".join("'" + str(text).replace("'", "''") + "'" for text in texts)


def exactly(path: Path) -> str:
    """A pattern that only this path fits, for functions that take patterns."""
    return escape(str(path))
