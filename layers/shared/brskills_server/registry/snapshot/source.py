"""Our own copy of the register as a provider: read where it lies, and left alone a while when it fails."""

from __future__ import annotations

import time
from collections.abc import Callable

from brskills_server.registry.dates import iso_instant
from brskills_server.registry.health.evidence import WELL_KNOWN
from brskills_server.registry.health.provider_health import ProviderHealth
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.results import Failed, Missing, ObserveAttempt, Skipped
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.registry.snapshot.rows import record_text
from brskills_server.registry.store import StoreFault

__all__ = ["REST_SECONDS", "SnapshotSource"]

REST_SECONDS = 10
"""How long a copy that failed is not tried again, so that one that hangs does not hold every look-up up."""


class SnapshotSource:
    """Reads companies from a copy, which may come, change and go at any time. Where there is none it is
    passed over, and ``observe`` hears nothing.

    ``clock``: epoch seconds. No method raises.
    """

    def __init__(self, copy: RegisterSnapshot, clock: Callable[[], float], observe: ObserveAttempt) -> None:
        self.provider = PROVIDERS[SNAPSHOT_ID]
        self._copy = copy
        self._clock = clock
        self._observe = observe
        self._failed_at: float | None = None
        self._read_at: float | None = None

    def read(self, cnpj: str) -> str | Missing | Failed | Skipped:
        """The record's JSON if the copy has the company, in the thread of the caller.

        A company of which a row could not be read is skipped: it is there, so it is not missing.
        """
        if self._is_resting():
            self._observe(SNAPSHOT_ID, "skipped", None)
            return Skipped(self.provider)
        began = time.perf_counter()
        result = self._find(cnpj)
        if result is None:
            return Skipped(self.provider)
        outcome = "found" if isinstance(result, str) else type(result).__name__.lower()
        self._observe(SNAPSHOT_ID, outcome, time.perf_counter() - began)
        return result

    def rest(self) -> None:
        """Leave the copy alone for a while: it did not answer in time."""
        self._failed_at = self._clock()

    def health(self) -> ProviderHealth | None:
        """How the copy is at this moment; ``None`` where there is none. Blocks, for a second at most.

        It is read: that its month can be named is not evidence. While a copy rests, that it failed is.
        """
        if not self._is_resting() and self._find(WELL_KNOWN) is None:
            return None
        failed_at, read_at = self._failed_at, self._read_at
        last = None if read_at is None else iso_instant(read_at)
        if failed_at is None:
            return ProviderHealth(SNAPSHOT_ID, "operational", "closed", last, None)
        return ProviderHealth(SNAPSHOT_ID, "down", "open", last, iso_instant(failed_at + REST_SECONDS))

    def _is_resting(self) -> bool:
        """Whether the copy failed a moment ago. When that is over one look-up tries it for all others."""
        if self._failed_at is None:
            return False
        now = self._clock()
        if 0 <= now - self._failed_at < REST_SECONDS:
            return True
        self._failed_at = now
        return False

    def _find(self, cnpj: str) -> str | Missing | Failed | Skipped | None:
        """``None`` where there is no copy."""
        try:
            edition = self._copy.edition()
            company = self._copy.find(cnpj) if edition else None
            self._failed_at = None
            if edition is None:
                return None
            self._read_at = self._clock()
            if company is None:
                return Missing(self.provider, edition.day)
            if not company.branch or not company.root:
                return Skipped(self.provider)
            return record_text(company)
        except StoreFault:
            self._failed_at = self._clock()
        except ValueError:  # the row is damaged: the others of the copy need not be
            pass
        return Failed(self.provider)
