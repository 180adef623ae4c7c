"""The share of a build that is done, and the estimate of the time left."""

import pytest

from brskills_server.snapshot_builder.progress import DownloadProgress, Progress


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


def test_a_download_has_a_line_every_ten_seconds_and_at_its_end(capsys):
    """Before the files are listed, and while they are listed again, it waits for the share."""
    now, gigabytes = 0.0, 10**9
    report = DownloadProgress(lambda: now)
    steps = [
        (9, 0, 0),
        (10, 0, 0),
        (12, 0, 4),
        (20, 1, 4),
        (21, 1.5, 4),
        (30, 1.5, 4),
        (31, 1.5, 4),
        (40, 1.5, 4),
        (50, 1, 4),  # a file is restarted
        (55, 4, 4),
        (56, 4, 4),
        (65, 4, 4),
    ]
    for now, done, total in steps:  # noqa: B007 - the clock reads it
        report(int(done * gigabytes), total * gigabytes)
    assert capsys.readouterr().out.splitlines() == [
        "waiting for the share's listing",
        "download  25% of 4.00 GB, 100.00 MB/s",
        "download  38% of 4.00 GB, 50.00 MB/s",
        "download  38% of 4.00 GB, nothing has arrived for 19 s",
        "download  25% of 4.00 GB, 0.00 kB/s",
        "download 100% of 4.00 GB, 600.00 MB/s",
        "waiting for the share's listing",
    ]
