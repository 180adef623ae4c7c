"""The share of a build that is done, and the estimate of the time left."""

import io

from brskills_server.snapshot_builder.progress import Progress


def lines(total: float, *steps: tuple[float, float], skipped: float = 0) -> list[str]:
    """``steps``: time in seconds, and work done since the step before."""
    out, now = io.StringIO(), 0.0
    progress = Progress(total, out, lambda: now)
    progress.skip(skipped)
    for now, done in steps:  # noqa: B007 - the clock reads it
        progress.add(done)
        progress.say("file")
    return out.getvalue().splitlines()


def test_the_time_left_follows_from_the_speed() -> None:
    assert lines(1_000, (0, 0), (60, 100), (120, 100), (600, 800)) == [
        "  0%  file",
        " 10%  file  (about 9 min left)",
        " 20%  file  (about 8 min left)",
        "100%  file",
    ]


def test_work_of_an_earlier_run_does_not_count_as_speed() -> None:
    assert lines(1_000, (10, 100), skipped=500) == [" 60%  file  (about 40 s left)"]


def test_more_work_than_expected_is_not_above_100_percent() -> None:
    assert lines(0, (10, 5)) == ["100%  file"]
