"""When each provider last answered and last failed: as this process knows it, and as all know it together.

All know ``seen:<provider>`` and ``fail:<provider>`` of ``brskills_server.registry.health.shared_state``. Few results go there:

- a failure, where the last result known is a success; further ones every five seconds,
- a success, once a minute.

A success within ten seconds of a failure is not evidence: in five of them others may have failed without a
word. So a provider that fails every few seconds costs an instance two writes in ten seconds and never counts
as well. What was not written is looked at again with every look-up: an instance that had not yet heard of
another's success when its own call failed says so then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from brskills_server.registry.health.shared_state import SharedState

if TYPE_CHECKING:  # who only reads evidence takes no event loop
    from brskills_server.registry.health.shared_view import SharedView

__all__ = ["EVIDENCE_SECONDS", "QUIET_SECONDS", "WELL_KNOWN", "Evidence", "Last", "State", "last_known"]

State = Literal["operational", "degraded", "down", "unknown"]

EVIDENCE_SECONDS = 900
"""How long a result says how a provider is."""

QUIET_SECONDS = 180
"""A provider of which nothing was heard for so long may be probed: whoever does that every ten minutes leaves
no gap in the evidence."""

WELL_KNOWN = "00000000000191"
"""Whom a probe asks for: the head office of Banco do Brasil, which every source has."""

_SUCCESS_SECONDS = 60
_FAILURE_SECONDS = 5
_SETTLED_SECONDS = 2 * _FAILURE_SECONDS
_MOST_AHEAD = 60  # by which clocks differ


class Last(NamedTuple):
    """A provider's last success and last failure, in epoch seconds; 0: none is known."""

    success: int
    failure: int

    @property
    def failed(self) -> bool:
        """Whether the last result is a failure; of one second with both, it is."""
        return 0 < self.failure >= self.success

    def state(self, now: int) -> State:
        """What its last results say of a provider, as long as they say anything."""
        if self.failed and _is_recent(self.failure, now):
            return "degraded"
        return "operational" if not self.failed and _is_recent(self.success, now) else "unknown"


class Evidence:
    """The last results of providers, by their ids. ``clock``: epoch seconds."""

    def __init__(self, view: SharedView, clock: Callable[[], float]) -> None:
        self._view = view
        self._clock = clock
        self._own: dict[str, Last] = {}

    def record(self, provider: str, *, failed: bool) -> None:
        """A provider has answered or failed just now."""
        own, now = self._own_of(provider), int(self._clock())
        if failed:
            self._own[provider] = own._replace(failure=now)
        elif now - self.last(provider).failure >= _SETTLED_SECONDS:
            self._own[provider] = own._replace(success=now)
        self.share(provider)

    def share(self, provider: str) -> None:
        """Let all know what this process knows, with the next ``publish``, where it is worth a write."""
        own, known = self._own_of(provider), self._known_of(provider)
        if own.failed:
            if own.failure >= known.success and (
                not known.failed or own.failure - known.failure >= _FAILURE_SECONDS
            ):
                self._view.set(f"fail:{provider}", own.failure)
        elif own.success - known.failure >= _SETTLED_SECONDS and (
            known.failed or own.success - known.success >= _SUCCESS_SECONDS
        ):
            self._view.set(f"seen:{provider}", own.success)

    def last(self, provider: str) -> Last:
        """The newest that this process has seen or read."""
        own, known = self._own_of(provider), self._known_of(provider)
        return Last(max(own.success, known.success), max(own.failure, known.failure))

    def is_quiet(self, provider: str) -> bool:
        """Whether nothing was heard of a provider for :data:`QUIET_SECONDS`."""
        return max(self.last(provider)) <= self._clock() - QUIET_SECONDS

    def _own_of(self, provider: str) -> Last:
        return self._own.get(provider, Last(0, 0))

    def _known_of(self, provider: str) -> Last:
        return last_known(self._view, provider)


def last_known(state: SharedState, provider: str) -> Last:
    """What all know of a provider."""
    return Last(state.number(f"seen:{provider}"), state.number(f"fail:{provider}"))


def _is_recent(moment: int, now: int) -> bool:
    return moment > 0 and now - EVIDENCE_SECONDS < moment <= now + _MOST_AHEAD
