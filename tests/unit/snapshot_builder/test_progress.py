"""The share of a build that is done, and the estimate of the time left."""

import pytest

from brskills_server.snapshot_builder.progress import Progress


@pytest.mark.parametrize(
    ("total", "skipped", "steps", "lines"),
    [
        (
            1_000,
            0,
            [(0, 0), (60, 100), (120, 100), (600, 800)],
            ["  0%  file", " 10%  file  (about 9 min left)", " 20%  file  (about 8 min left)", "100%  file"],
        ),
        (1_000, 500, [(10, 100)], [" 60%  file  (about 40 s left)"]),  # skipped work has no speed
        (0, 0, [(10, 5)], ["100%  file"]),
    ],
)
def test_progress_and_time_left(capsys, total, skipped, steps, lines):
    """``steps``: time in seconds, and work done since the step before."""
    now = 0.0
    progress = Progress(total, lambda: now)
    progress.skip(skipped)
    for now, done in steps:  # noqa: B007 - the clock reads it
        progress.add(done)
        progress.say("file")
    assert capsys.readouterr().out.splitlines() == lines
