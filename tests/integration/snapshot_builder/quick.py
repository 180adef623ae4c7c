"""Fetching with short waits, from shares that are on this machine."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.fetch import Fetched, fetch
from brskills_server.snapshot_builder.sources.retry_policy import RetryPolicy
from tests.register.months import read_month
from tests.register.share import TOKEN, FakeShare

QUICK = RetryPolicy(
    connect=5,
    silence=0.4,
    least_rate=200,
    window=0.5,
    listing=5,
    attempts=4,
    first_wait=0.005,
    longest_wait=0.02,
)


@dataclass(frozen=True)
class Downloads:
    """Downloads of the newest month of a share to ``into``."""

    share: FakeShare
    into: Path

    def fetch(self, source: str = "", **limits: Any) -> Fetched:
        """Return what is downloaded. All reported counts are checked."""
        reports: list[tuple[int, int]] = []
        report: Callable[[int, int], None] = lambda *counts: reports.append(counts)  # noqa: E731
        fetched = fetch(source or self.share.page, self.into, report, replace(QUICK, **limits))
        assert fetched
        assert all(0 <= done <= total for done, total in reports)
        assert reports[-1] == (total := sum(size for size, _ in fetched.listed.values()), total)
        return fetched

    def assert_whole(self, source: str = "", month: str = "2026-10", **limits: Any) -> Fetched:
        """Assert that all files of a month are downloaded, byte for byte, and nothing is left half."""
        fetched = self.fetch(source, **limits)
        assert read_month(fetched.folder) == read_month(self.share.folder / month)
        assert not list(fetched.folder.glob("*.part"))
        return fetched

    def reasons(self, source: str = "", **limits: Any) -> tuple[str, ...]:
        """Return why a month cannot be downloaded: never an address, a token or a path."""
        with pytest.raises(SnapshotError) as raised:
            fetch(source or self.share.page, self.into, retry_policy=replace(QUICK, **limits))
        text = str(raised.value)
        assert not any(secret in text for secret in (TOKEN, self.share.host, str(self.into), "public.php"))
        return raised.value.reasons

    def requests(self, name: str) -> list[str | None]:
        """Return the ranges of the requests for a file."""
        return [range_ for _, requested, range_ in self.share.requests if requested == name]
