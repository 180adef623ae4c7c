"""A row of the table of fields (``brcode.fields``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from brcode.model import Adjustment

__all__ = ["Field"]


class Field(NamedTuple):
    """One parameter of ``encode``.

    ``path``: the ids of its template, if any, and of itself; empty where the code does not hold it.
    ``limit``: its most characters; ``fixed``: it always has that many.
    ``check``: see ``brcode.checks``; ``key_type`` is checked with ``key``.
    ``pattern``: its form in a static code, for ``brcode.canonical``, with ``%(limit)d`` for the limit.
    ``default``: the value where the charge has none. ``required``: the charge must have it.
    """

    name: str
    path: tuple[str, ...] = ()
    limit: int = 0
    check: Callable[[Field, Mapping[str, Any]], tuple[object, tuple[Adjustment, ...]]] | None = None
    pattern: str | None = None
    default: str | None = None
    required: bool = False
    fixed: bool = False
