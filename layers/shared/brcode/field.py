"""What is said of one field of a charge; the rows stand in ``brcode.fields``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from brcode.model import Adjustment
from brcode.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Field"]


class Field(Record):
    """One parameter of ``encode``.

    ``path``: the ids that lead to it, the template's first; empty for what is not written in the code.
    ``limit``: characters; ``fixed``: it is written with just as many.
    ``check``: see ``brcode.checks``; ``key_type`` is checked with ``key``.
    ``pattern``: its form in a static code, for ``brcode.canonical``; ``%(limit)d`` stands for the limit.
    ``default``: written where the charge does not say. ``required``: refused where the charge does not say.
    """

    name: str
    path: tuple[str, ...] = ()
    limit: int = 0
    check: Callable[[Field, Mapping[str, Any]], tuple[object, tuple[Adjustment, ...]]] | None = None
    pattern: str | None = None
    default: str | None = None
    required: bool = False
    fixed: bool = False
