"""A second count of the calls in a store, by request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

from brskills_server.accounts.account import Caller
from brskills_server.metering.idempotency_record import Transition
from brskills_server.metering.ports import AccountCalls, AddressCalls, Release

SITE = "site"
"""The request that calls of a /48 are recorded under: they are a second count of calls of its addresses."""


@dataclass
class Entry:
    """Calls by month of one request, or of one life of a claim; what was answered, and what may be left.

    ``doubtful``: calls whose write was applied and not confirmed. ``orphaned``: those of workers that died.
    """

    counted: Counter[str] = field(default_factory=Counter)
    answered: int = 0
    doubtful: int = 0
    orphaned: int = 0

    @property
    def left(self) -> int:
        """Return how many counted calls were not answered; negative where more were answered than counted."""
        return self.counted.total() - self.answered

    def faults(self) -> list[str]:
        """Return what does not hold."""
        found = []
        if self.left < 0:
            found.append(f"{-self.left} calls given away: {self}")
        if self.left > self.doubtful + self.orphaned:
            found.append(f"{self.left - self.doubtful - self.orphaned} calls lost: {self}")
        if min(self.counted.values(), default=0) < 0:
            found.append(f"taken back in another month than counted: {self}")
        return found


class Recount:
    """The second count, given every operation that the store has applied."""

    def __init__(self) -> None:
        self.months: Counter[tuple[str, str]] = Counter()
        self.free: Counter[tuple[str, str]] = Counter()
        self.entries: dict[Hashable, Entry] = {}
        self.lives: Counter[str] = Counter()
        self._applied: set[str] = set()
        self._owners: dict[str, Hashable] = {}

    @property
    def requests(self) -> list[Entry]:
        """Return the entries of requests and claims."""
        return [entry for request, entry in self.entries.items() if request != SITE]

    def entry(self, request: Hashable) -> Entry:
        """Return the entry of a request, or of a claim's present life."""
        return self.entries.setdefault(request, Entry())

    def entry_of_claim(self, claim: str) -> Entry:
        """Return the entry of what is kept of a claim now."""
        return self.entry((claim, self.lives[claim]))

    def seen(self, release: Release, request: Hashable) -> None:
        """Note which request sent a release first; later ones only repeat it."""
        self._owners.setdefault(release.id, request)

    def reserved(self, request: Hashable, wanted: AccountCalls | AddressCalls) -> int:
        """Record counted calls; return how many, or how many are answered by that."""
        entry = self._entry(request, wanted.transition)
        entry.counted[wanted.month] += wanted.calls
        self.months[wanted[0], wanted.month] += wanted.calls
        return max(wanted.calls, wanted.transition.answered if wanted.transition else 0)

    def released(self, release: Release, transition: Transition | None) -> None:
        """Record calls that were taken back, once for each release."""
        if release.id in self._applied:
            return
        self._applied.add(release.id)
        entry = (
            self.entry_of_claim(transition.request.id) if transition else self.entry(self._owners[release.id])
        )
        entry.counted[release.month] -= release.calls
        place = _holder(release.caller), release.month
        self.months[place] -= release.calls
        self.free[place] += release.allowance is not None

    def _entry(self, request: Hashable, transition: Transition | None) -> Entry:
        if transition is None:
            return self.entry(request)
        if not transition.calls:
            self.lives[transition.request.id] += 1
        return self.entry_of_claim(transition.request.id)


def _holder(caller: Caller) -> str:
    return caller.address if caller.is_demo else caller.account
