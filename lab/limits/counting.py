"""The operations of a process's store, and the bytes of its log."""

import io
from collections.abc import Callable
from typing import Any

READS = frozenset({
    "account_of_key", "days", "demo_calls", "grants_of", "has_event", "has_release", "list_attempts",
    "list_changes", "list_watches", "list_webhooks", "load", "ping", "read_account", "read_client",
    "read_grant", "read_idempotency_record", "read_watch", "read_webhook", "read_window", "state",
})  # fmt: skip
"""Operations of the ports that change nothing; all others are writes, those that are refused included."""


class Operations:
    """Counts ``reads`` and ``writes`` of stores."""

    def __init__(self) -> None:
        self.reads = self.writes = 0

    def around(self, store: object) -> Any:
        """Return a proxy of a store whose operations are counted."""
        return _Counted(store, self)


class _Counted:
    def __init__(self, store: object, counts: Operations) -> None:
        self._store, self._counts = store, counts

    def __getattr__(self, name: str) -> Callable[..., Any]:
        run = getattr(self._store, name)

        def counted(*arguments: Any, **named: Any) -> Any:
            if name in READS:
                self._counts.reads += 1
            else:
                self._counts.writes += 1
            # The next case must not know what this one learned of the sources.
            return None if name == "set_state" else run(*arguments, **named)

        return counted


class CountedLog(io.TextIOBase):
    """Takes the place of standard output, where functions log, and of the gateway's handler."""

    def __init__(self) -> None:
        self.bytes = 0

    def write(self, text: str) -> int:
        self.bytes += len(text.encode())
        return len(text)
