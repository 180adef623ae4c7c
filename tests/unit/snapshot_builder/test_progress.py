"""How far a build is, with a clock that is set by hand."""

from __future__ import annotations

import io

import pytest

from brskills_server.snapshot_builder.progress import Progress


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_what_is_left_follows_from_the_speed_so_far(clock):
    out = io.StringIO()
    progress = Progress(1_000, out, clock)
    progress.say("begin")
    for now, done in ((60, 100), (120, 100), (600, 800)):
        clock.now = now
        progress.add(done, "file")
        progress.say("file")
    assert out.getvalue().splitlines() == [
        "  0%  begin",
        " 10%  file  (about 9 min left)",
        " 20%  file  (about 8 min left)",
        "100%  file",
    ]


def test_what_an_earlier_run_has_done_says_nothing_of_the_speed(clock):
    out = io.StringIO()
    progress = Progress(1_000, out, clock)
    progress.skip(500)
    clock.now = 10
    progress.add(100, "file")
    progress.say("file")
    assert out.getvalue() == " 60%  file  (about 40 s left)\n"


def test_more_than_was_thought_is_not_more_than_all(clock):
    out = io.StringIO()
    progress = Progress(0, out, clock)
    clock.now = 10
    progress.add(5, "file")
    progress.say("file")
    assert out.getvalue() == "100%  file\n"


def test_a_terminal_shows_one_line_a_second_that_moves(clock):
    out = Terminal()
    progress = Progress(100, out, clock)
    for tenth in range(1, 26):
        clock.now = tenth / 10
        progress.add(1, "file")
    assert out.getvalue().count("\r") == 2
    assert "\n" not in out.getvalue()
    progress.say("done")
    assert out.getvalue().endswith("\r\x1b[K 25%  done  (about 8 s left)\n")


def test_a_log_has_no_lines_that_move(clock):
    out = io.StringIO()
    progress = Progress(100, out, clock)
    clock.now = 5
    progress.add(1, "file")
    assert out.getvalue() == ""
