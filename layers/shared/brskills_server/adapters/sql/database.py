"""What the statements of this room need of a database, and how its faults are told apart."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

__all__ = ["Conflict", "Database", "Rollback", "Row", "Run", "Value", "Values"]

Value = str | int | None
Values = dict[str, Value]
Row = tuple[Any, ...]
Run = Callable[..., list[Row]]
"""``run(statement, **values)``: the rows it gives; a value's place is ``:name``."""


class Conflict(Exception):
    """A row is there already, or one that it belongs to is not; nothing was written."""


class Rollback(Exception):
    """Raised inside a transaction to undo it; it ends there."""


class Database(Protocol):
    """A database shared by threads. Both methods may raise ``Conflict`` and ``StoreUnavailable``.

    Nothing is repeated that may have been applied.
    """

    def run(self, statement: str, **values: Value) -> list[Row]:
        """One statement, which is a transaction of its own."""

    def transaction(self, *, alone: bool = False) -> AbstractContextManager[Run]:
        """Several statements that happen together or not at all.

        ``alone``: no other transaction of this kind runs at the same time, on any machine; it may take longer
        than others.
        """

    def snapshot(self) -> AbstractContextManager[Run]:
        """Several statements that read, all of one moment, while others go on writing."""
