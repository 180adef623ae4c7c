"""The line that is printed for a call."""

from __future__ import annotations

import errno
import io
import sys
import time

import pytest

from gateway.answer import report


class FullDisk(io.StringIO):
    """Where a line is written to in vain."""

    def write(self, line: str) -> int:
        raise OSError(errno.ENOSPC, line)


def test_a_line_comes_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(sys.stderr, "write", written.append)
    report("GET /", 200, time.perf_counter(), "id")
    assert len(written) == 1
    assert written[0].endswith(" ms id\n")


def test_a_full_disk_costs_nobody_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", FullDisk())
    report("GET /", 200, time.perf_counter(), "id")
