"""The register's snapshot as a provider, which is left alone for a while after it failed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from brskills_server.registry.dates import iso_instant
from brskills_server.registry.frontier import FRONTIER
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.providers.provider import CONTROL_CNPJ, Provider, ProviderHealth, State
from brskills_server.registry.providers.results import Failed, Missing, ObserveAttempt, Rejected, Skipped
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany, record_text
from brskills_server.registry.store import StoreFault

PROVIDER = Provider(
    id=SNAPSHOT_ID, group=SNAPSHOT_ID, base_url="", path="", timeout=1.0, fields={}, monthly_dump=True
)
Reading = str | Missing | Failed | Rejected | Skipped
"""A record's JSON, or why there is none; ``Rejected``: the edition has the company without its record."""

PAUSE_SECONDS = 10
"""How long a snapshot that failed is not read again, so that one that hangs does not delay every look-up."""


class SnapshotSource:
    """Companies of a snapshot that may appear, change and disappear at any time.

    ``clock``: epoch seconds. ``observe``: called after every attempt, but not without a snapshot. No method
    raises.
    """

    provider = PROVIDER

    def __init__(
        self, snapshot: RegisterSnapshot, clock: Callable[[], float], observe: ObserveAttempt
    ) -> None:
        self._snapshot = snapshot
        self._clock = clock
        self._observe = observe
        self._failed_at: float | None = None
        self._read_at: float | None = None
        self._edition: Edition | None = None
        self._damaged: Edition | None = None

    def read(self, cnpj: str) -> Reading:
        """Return the record's JSON if the snapshot has the company; read it in the caller's thread.

        A company with an unreadable row is ``Rejected``: it exists, so it is not ``Missing``.
        """
        return self.read_many([cnpj])[0]

    def read_many(self, cnpjs: Sequence[str]) -> list[Reading]:
        """Return for each number what `read` does."""
        results: list[Reading] = [Skipped(PROVIDER)] * len(cnpjs)
        if self._is_paused():
            for _ in cnpjs:
                self._observe(SNAPSHOT_ID, "skipped", None)
            return results
        began = time.perf_counter()
        found = self._find(cnpjs)
        if found is None:
            return results
        seconds = time.perf_counter() - began
        for result in found:
            outcome = "found" if isinstance(result, str) else type(result).__name__.lower()
            self._observe(SNAPSHOT_ID, outcome, seconds / len(found))
        return found

    @property
    def frontier(self) -> Mapping[str, str]:
        """The frontier of roots in the edition last read, if it has one; see ``may_be_new``."""
        return self._edition.texts.get(FRONTIER, {}) if self._edition else {}

    def pause(self) -> None:
        """Leave the snapshot alone for a while, after it did not answer in time."""
        self._failed_at = self._clock()

    def health(self) -> ProviderHealth | None:
        """Return the snapshot's state, after reading a company; ``None`` without a snapshot.

        An edition of which a row was found damaged is degraded until another takes its place.
        """
        if not self._is_paused() and self._find([CONTROL_CNPJ]) is None:
            return None
        failed_at, read_at = self._failed_at, self._read_at
        last = None if read_at is None else iso_instant(read_at)
        if failed_at is None:
            state: State = "operational" if self._damaged is None else "degraded"
            return ProviderHealth(SNAPSHOT_ID, state, "closed", last, None)
        return ProviderHealth(SNAPSHOT_ID, "down", "open", last, iso_instant(failed_at + PAUSE_SECONDS))

    def _is_paused(self) -> bool:
        """Return whether the snapshot failed a moment ago. After the pause one look-up tries it first."""
        if self._failed_at is None:
            return False
        now = self._clock()
        if 0 <= now - self._failed_at < PAUSE_SECONDS:
            return True
        self._failed_at = now
        return False

    def _find(self, cnpjs: Sequence[str]) -> list[Reading] | None:
        """Return the results for companies; ``None`` without a snapshot."""
        try:
            edition = self._snapshot.edition()
            if edition != self._edition:
                self._edition, self._damaged = edition, None
            companies = self._snapshot.find_many(cnpjs) if edition else {}
            self._failed_at = None
            if edition is None:
                return None
            results: list[Reading] = [_result_of(companies.get(cnpj), edition) for cnpj in cnpjs]
        except StoreFault:
            self._failed_at = self._clock()
        except ValueError:  # a company's row is damaged; others need not be
            if middle := len(cnpjs) // 2:
                halves = cnpjs[:middle], cnpjs[middle:]
                return [one for half in halves for one in self._find(half) or [Skipped(PROVIDER)] * len(half)]
            self._damaged = self._edition
            return [Rejected(PROVIDER, unusable=True)]
        else:
            self._read_at = self._clock()
            return results
        return [Failed(PROVIDER)] * len(cnpjs)


def _result_of(company: SnapshotCompany | None, edition: Edition) -> Reading:
    if company is None:
        return Missing(PROVIDER, edition.day)
    if not company.establishment_row or not company.company_row:
        return Rejected(PROVIDER, unusable=True)
    return record_text(company)
