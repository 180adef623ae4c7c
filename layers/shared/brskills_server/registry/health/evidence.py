"""When each provider last answered and last failed, as seen by this process and by all of them."""

from __future__ import annotations

from typing import NamedTuple

from brskills_server.registry.health.shared_state import SharedState
from brskills_server.registry.providers.provider import State

EVIDENCE_SECONDS = 900
"""How long a result is evidence of a provider's state."""

QUIET_SECONDS = 180
"""A provider without results for this long may be probed: probes every ten minutes leave no gap."""

_SUCCESS_SECONDS = 60
_FAILURE_SECONDS = 5
_SETTLED_SECONDS = 2 * _FAILURE_SECONDS
_MOST_AHEAD = 60  # by which clocks differ


class LastResults(NamedTuple):
    """A provider's last success and last failure, in epoch seconds; 0: none is known."""

    success: int = 0
    failure: int = 0

    @property
    def failed(self) -> bool:
        """Whether the last result is a failure; of one second with both, it is."""
        return 0 < self.failure >= self.success

    def state(self, now: int) -> State:
        """Return the state that recent results show."""
        if self.failed and _is_recent(self.failure, now):
            return "degraded"
        return "operational" if not self.failed and _is_recent(self.success, now) else "unknown"


def of_numbers(provider: str) -> str:
    """Return the id under which a provider's rejected numbers are failures too.

    Callers choose the numbers, so a rejected one shows neither that the provider fails nor that it works.
    """
    return f"{provider}:numbers"


def of_companies(provider: str) -> str:
    """Return the id under which only a found company is a success, and only a denied control a failure."""
    return f"{provider}:companies"


class Evidence:
    """The last results of providers, by an id: a provider's, or one of `of_numbers` and `of_companies`."""

    def __init__(self, state: SharedState) -> None:
        self.state = state
        self._own: dict[str, LastResults] = {}

    def record(self, provider: str, *, failed: bool) -> None:
        """Record that a provider has answered or failed just now."""
        own, now = self._own.get(provider, LastResults()), self.state.now
        self._own[provider] = own._replace(failure=now) if failed else own._replace(success=now)
        self._share(provider)

    def share(self) -> None:
        """Put what this process has seen into the shared state, where it is worth a write."""
        for provider in self._own:
            self._share(provider)

    def last(self, provider: str) -> LastResults:
        """Return the newest results that this process has seen or read.

        A success counts once ten seconds have passed without a failure: other processes may have failed too.
        """
        own, known = self._own.get(provider, LastResults()), self._shared(provider)
        failure = max(own.failure, known.failure)
        is_settled = own.success > failure and self.state.now - failure >= _SETTLED_SECONDS
        return LastResults(max(own.success, known.success) if is_settled else known.success, failure)

    def is_operational(self, provider: str) -> bool:
        """Return whether the last known result is a recent success."""
        return self.last(provider).state(self.state.now) == "operational"

    def is_quiet(self, provider: str) -> bool:
        """Return whether it had no result for :data:`QUIET_SECONDS`."""
        return max(self.last(provider)) <= self.state.now - QUIET_SECONDS

    def _share(self, provider: str) -> None:
        """Write a failure after a success, further ones every five seconds, and a success once a minute.

        A success counts as in `last`, and is written then.
        What was not written is examined again with every look-up: another process may have succeeded since.
        """
        own, known = self._own.get(provider, LastResults()), self._shared(provider)
        if own.failed:
            is_news = not known.failed or own.failure - known.failure >= _FAILURE_SECONDS
            if own.failure >= known.success and is_news:
                self.state.set(f"fail:{provider}", own.failure)
        elif self.last(provider).success == own.success and (
            known.failed or own.success - known.success >= _SUCCESS_SECONDS
        ):
            self.state.set(f"seen:{provider}", own.success)

    def _shared(self, provider: str) -> LastResults:
        return LastResults(self.state.number(f"seen:{provider}"), self.state.number(f"fail:{provider}"))


def _is_recent(moment: int, now: int) -> bool:
    return moment > 0 and now - EVIDENCE_SECONDS < moment <= now + _MOST_AHEAD
