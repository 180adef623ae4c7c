"""What a process does for a call: operations of its store, and bytes of its log."""

from __future__ import annotations

import io
import logging
from collections import Counter
from collections.abc import Callable
from typing import Any

from brskills_server.gateway.log import JsonLines

__all__ = ["CountedLog", "Operations"]

READS = frozenset({
    "account_of_key", "days", "demo_calls", "grants_of", "has_event", "has_release", "load", "ping",
    "read_account", "read_idempotency_record", "read_client", "read_grant", "read_window", "state",
})  # fmt: skip
"""Operations of the ports that change nothing; all others are writes."""


class Operations:
    """Counts ``reads`` and ``writes`` of the stores that it is put around."""

    def __init__(self) -> None:
        self.by_name: Counter[str] = Counter()

    @property
    def reads(self) -> int:
        """Operations that change nothing."""
        return sum(number for name, number in self.by_name.items() if name in READS)

    @property
    def writes(self) -> int:
        """All others, those that are refused included."""
        return self.by_name.total() - self.reads

    def around(self, store: object) -> Any:
        """Return a store used as the one it is around."""
        return _Counted(store, self.by_name)


class _Counted:
    def __init__(self, store: object, counts: Counter[str]) -> None:
        self._store = store
        self._counts = counts

    def __getattr__(self, name: str) -> Callable[..., Any]:
        run = getattr(self._store, name)

        def counted(*arguments: Any, **named: Any) -> Any:
            self._counts[name] += 1
            # The next case must not know what this one learned of the sources.
            return None if name == "set_state" else run(*arguments, **named)

        return counted


class CountedLog(io.TextIOBase):
    """Takes the place of standard output, where functions log, and of the gateway's handler."""

    def __init__(self) -> None:
        self.bytes = 0

    def write(self, text: str) -> int:
        """Count the text."""
        self.bytes += len(text.encode())
        return len(text)

    def take_gateway(self) -> None:
        """Have the gateway's lines here, as ``LOG_FORMAT=json`` writes them."""
        handler = logging.StreamHandler(self)
        handler.setFormatter(JsonLines())
        root = logging.getLogger()
        root.addHandler(handler)
        logging.getLogger("gateway").setLevel(logging.INFO)
