"""Circuit breakers of the provider groups, shared by all processes."""

from __future__ import annotations

from brskills_server.registry.health.evidence import Evidence, of_companies, of_numbers
from brskills_server.registry.health.state_sync import StateSync
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.results import (
    AttemptResult,
    Dropped,
    Failed,
    Found,
    Missing,
    Outdated,
    Rejected,
)

FAILURES_TO_OPEN = 5  # failures to reach the provider in a row, in one process
NUMBERS_TO_CONTROL = 4  # distinct numbers rejected in a row, in one process
CONTROL_SECONDS = 10  # between two controls of a provider that passes them
OPEN_SECONDS = 10
TRIAL_SECONDS = 10  # how long other processes wait for the trial call of a half-open breaker


class Breakers:
    """The breakers of all groups and paid addresses.

    Callers choose the numbers, so a rejected answer opens none: after four distinct rejected numbers in a row
    one well-known company, the control, is requested, and decides; so it does for a half-open breaker.
    """

    def __init__(self, sync: StateSync, evidence: Evidence) -> None:
        self._state = sync.state
        self._sync = sync
        self._evidence = evidence
        self._failures: dict[str, int] = {}
        self._rejected: dict[str, set[str]] = {}  # numbers since the last answer
        self._controlled_at: dict[str, int] = {}
        self._trials: set[str] = set()  # breakers of which this process makes the trial call

    def seconds_open(self, provider: Provider) -> int:
        """Return for how many seconds more the provider is not called; 0 or less where it may be."""
        return self._state.number(f"open:{provider.breaker}") - self._state.now

    async def enter(self, provider: Provider) -> bool:
        """Return whether the provider may be called now; claim the trial call of a half-open breaker."""
        field, now = f"open:{provider.breaker}", self._state.now
        until = self._state.number(field)
        if until > now:
            return False
        if until:
            if await self._sync.claim(field, now + TRIAL_SECONDS, at_most=now) is False:
                return False
            self._trials.add(provider.breaker)
        return True

    def needs_control(self, provider: Provider) -> bool:
        """Return whether a provider that was acquired must be asked for the control first.

        A paid address never is: that would cost money.
        """
        breaker = provider.breaker
        if provider.paid:
            return False
        if breaker in self._trials:
            return True
        is_doubtful = len(self._rejected.get(breaker, ())) >= NUMBERS_TO_CONTROL
        return is_doubtful and self._state.now - self._controlled_at.get(breaker, 0) >= CONTROL_SECONDS

    def begin_control(self, provider: Provider) -> None:
        """Record that the control is requested now, so that no other look-up requests it too."""
        self._controlled_at[provider.breaker] = self._state.now

    def abandon_trial(self, provider: Provider) -> None:
        """Let any process make the trial call at once, if this one was to and did not finish it."""
        if self._end_trial(provider):
            self._state.set(f"open:{provider.breaker}", self._state.now)

    def record_control(self, result: AttemptResult) -> bool:
        """Close the provider's breaker where the control was answered, else open it; return which.

        One that denies the control is called, for it may find others again, but it fails.
        """
        provider, passed = result.provider, isinstance(result, Found | Missing)
        if isinstance(result, Missing):
            self._evidence.record(of_companies(provider.id), failed=True)
            self._evidence.record(provider.id, failed=True)
        elif passed:
            self._record_answer(result)
        else:
            self._evidence.record(provider.id, failed=True)
        was_trial = self._end_trial(provider)
        self._forget_failures(provider)
        if not passed:
            self._open(provider, result.retry_after if isinstance(result, Failed) else None)
        elif was_trial:
            self._state.set(f"open:{provider.breaker}", 0)
        return passed

    def record(self, result: AttemptResult, cnpj: str) -> None:
        """Record the result of an attempt to look up this number.

        A ``Retry-After`` opens the breaker at once. A paid address says nothing of the provider's open one;
        its trial call is a caller's, and any answer closes its breaker.
        """
        provider = result.provider
        match result:
            case Failed():
                self._record_failure(result)
                return
            case Rejected():
                rejected = self._rejected.setdefault(provider.breaker, set())
                if len(rejected) < NUMBERS_TO_CONTROL:
                    rejected.add(cnpj)
                if not provider.paid:
                    self._evidence.record(of_numbers(provider.id), failed=True)
            case Found() | Missing() | Outdated():
                self._forget_failures(provider)
                if not provider.paid:
                    self._record_answer(result)
                elif not isinstance(result, Missing):
                    self._evidence.record(of_companies(provider.address), failed=False)
            case Dropped() if provider.paid:
                self.abandon_trial(provider)
                return
            case _:
                return
        if provider.paid and self._end_trial(provider):
            self._state.set(f"open:{provider.breaker}", 0)

    def _record_answer(self, result: AttemptResult) -> None:
        name = result.provider.id
        if not isinstance(result, Missing):
            self._evidence.record(of_companies(name), failed=False)
        elif self._evidence.last(of_companies(name)).failed:  # it denies every number
            return
        self._evidence.record(name, failed=False)
        self._evidence.record(of_numbers(name), failed=False)

    def _record_failure(self, failed: Failed) -> None:
        provider = failed.provider
        if not provider.paid:
            self._evidence.record(provider.id, failed=True)
        failures = self._failures.get(provider.breaker, 0) + 1
        self._failures[provider.breaker] = failures
        if self._end_trial(provider) or failed.retry_after or failures >= FAILURES_TO_OPEN:
            self._forget_failures(provider)
            self._open(provider, failed.retry_after)

    def _open(self, provider: Provider, retry_after: int | None) -> None:
        field, until = f"open:{provider.breaker}", self._state.now + (retry_after or OPEN_SECONDS)
        self._state.set(field, max(self._state.number(field), until))

    def _forget_failures(self, provider: Provider) -> None:
        self._failures.pop(provider.breaker, None)
        self._rejected.pop(provider.breaker, None)

    def _end_trial(self, provider: Provider) -> bool:
        """Return whether this process was making the trial call of the provider's breaker."""
        was_trial = provider.breaker in self._trials
        self._trials.discard(provider.breaker)
        return was_trial
