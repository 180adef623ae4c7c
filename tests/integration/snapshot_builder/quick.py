"""Fetching with little retry_policy, from shares that are on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.fetch import Fetched, fetch
from brskills_server.snapshot_builder.sources.retry_policy import RetryPolicy
from tests.register.months import read_month
from tests.register.share import FakeShare

QUICK = RetryPolicy(connect=5, silence=0.4, listing=5, attempts=4, first_wait=0.005, longest_wait=0.02)


def bring_in(share: FakeShare, into: Path, retry_policy: RetryPolicy = QUICK, source: str = "") -> Fetched:
    """The newest month of a share; all counts that were reported are looked at."""
    reports: list[tuple[int, int]] = []
    fetched = fetch(source or share.page, into, lambda *counts: reports.append(counts), retry_policy)
    assert fetched
    assert all(0 <= done <= total for done, total in reports)
    assert reports[-1] == (total := sum(size for size, _ in fetched.files.values()), total)
    return fetched


def reasons_of(
    share: FakeShare, into: Path, retry_policy: RetryPolicy = QUICK, source: str = ""
) -> tuple[str, ...]:
    """What is said where a share's month cannot be had: never an address, a token or a path."""
    with pytest.raises(SnapshotError) as raised:
        fetch(source or share.page, into, retry_policy=retry_policy)
    said = str(raised.value)
    assert not any(secret in said for secret in ("aTokenOfTheseTests", share.host, str(into), "public.php"))
    return raised.value.reasons


def assert_whole(fetched: Fetched, share: FakeShare, month: str = "2026-10") -> None:
    """All files of a month are there, byte for byte, and nothing is left half."""
    assert read_month(fetched.folder) == read_month(share.folder / month)
    assert not list(fetched.folder.glob("*.part"))
    assert fetched.downloaded
