"""What is left of a month."""

from brskills_server.metering.quota import Quota


def test_more_calls_than_the_limit_leave_none() -> None:
    for calls, limit, left in ((99, 100, 1), (100, 100, 0), (180, 100, 0), (180, None, None)):
        quota = Quota("free", "2026-11", calls, limit, 1_795_000_000.0)
        assert (quota.remaining, quota.used_up) == (left, left == 0), (calls, limit)
