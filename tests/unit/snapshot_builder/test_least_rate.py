"""Answers that trickle."""

from itertools import accumulate

import pytest

from brskills_server.snapshot_builder.errors import TransientError
from brskills_server.snapshot_builder.sources.least_rate import LeastRate
from tests.for_each import for_each


@for_each(
    ("chunks", "ends_at"),
    [
        ([(20, 1)] * 9, 120),
        ([(60, 600_000), (60, 600_000)] * 9, None),
        ([(1, 50_000_000), (119, 1), (60, 1), (59, 1), (1, 1)], 240),  # each window for itself
        ([(119, 1), (0.5, 1_200_000), (120, 1_300_000), (119, 1)], None),  # the last one is not over
    ],
)
def test_each_window_has_the_least_rate(chunks, ends_at):
    """``chunks``: seconds since the one before, and bytes."""
    moments, now = [*accumulate(seconds for seconds, _ in chunks)], 0.0
    rate = LeastRate(10_000, 120, lambda: now)
    for now, (_, count) in zip(moments, chunks, strict=True):
        if now == ends_at:
            with pytest.raises(TransientError, match=r"^fewer than 10,000 bytes a second for 120 s$"):
                rate.add(count)
            return
        rate.add(count)
    assert ends_at is None
