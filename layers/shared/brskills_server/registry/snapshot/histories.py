"""The history of a company: from the snapshot in place back to the oldest one that is known."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from brskills_server.registry.errors import CompanyNotFound
from brskills_server.registry.sandbox import SANDBOX_NUMBERS
from brskills_server.registry.snapshot.history import RegisterHistory, history_of
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.registry.snapshot.sandbox_history import sandbox_history


class Histories:
    """Histories by canonical number. ``snapshot``: none without a copy; ``open_history``: on first use."""

    def __init__(
        self, snapshot: RegisterSnapshot | None, open_history: Callable[[], RegisterHistory]
    ) -> None:
        self._snapshot = snapshot
        self._open_history = open_history

    def find(self, cnpj: str) -> dict[str, Any] | None:
        """Return the history of a company, as data; ``None`` without a copy.

        Raise ``CompanyNotFound``, ``SourcesUnavailable`` for a number of the sandbox, ``StoreFault``, and
        ``ValueError`` where what is stored is damaged.
        """
        if cnpj in SANDBOX_NUMBERS:
            return sandbox_history(cnpj)
        edition = self._snapshot.edition() if self._snapshot else None
        if self._snapshot is None or edition is None:
            return None
        rows = self._history.rows(cnpj, edition.id)
        if not any(row.establishment for row in rows) and self._snapshot.find(cnpj) is None:
            raise CompanyNotFound(confirmed=False, data_base=edition.day.isoformat())
        return history_of(cnpj, edition, rows)

    @cached_property
    def _history(self) -> RegisterHistory:
        return self._open_history()
