"""Machines whose memory or disk is not enough: what was done is kept, and the message says what to do."""

import errno
import sqlite3
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

from brskills_server.snapshot_builder import steps
from brskills_server.snapshot_builder.machine import Share
from brskills_server.snapshot_builder.reading import read_file
from tests.integration.snapshot_builder.building import (
    DAY,
    assert_holds,
    current_file,
    failure,
    make_copy,
    publish,
    rows_of,
)
from tests.register.company import companies


def full_database() -> sqlite3.Error:
    """Return the exception of a database that cannot grow."""
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.OperationalError) as raised:
        connection.execute("CREATE TABLE a AS SELECT randomblob(9000) AS b")
    connection.close()
    return raised.value


def third_file(error: Exception) -> Callable[..., None]:
    """Return a function that reads two files and fails at the third."""
    called: list[object] = []

    def read(*arguments: Any) -> None:
        called.append(arguments)
        if len(called) == 3:
            raise error
        read_file(*arguments)

    return read


@pytest.fixture
def month(tmp_path):
    return publish(tmp_path / "in", companies(1, 12, step=1_000_003), DAY)


def test_rows_that_are_too_many_for_the_memory_are_joined_fewer_at_a_time(tmp_path, month):
    """The limit is met behind a range that is written."""
    tried: list[int] = []
    join = steps.join_range

    def limited(connection, staging, chosen):
        tried.append(chosen.number)
        if len(tried) in {2, 4}:
            raise duckdb.OutOfMemoryException("no more")
        return join(connection, staging, chosen)

    with (
        patch.object(steps, "join_range", limited),
        patch.object(steps, "_LEAST_ROWS", 1),
        patch.object(Share, "rows", 16),
    ):
        code, output = make_copy(tmp_path / "copy", "build", month.folder)
    assert code == 0, output
    assert "out of memory with 16 rows at once: again with a quarter of them" in output
    assert "out of memory with 4 rows at once" in output
    assert_holds(tmp_path / "copy", month)


@pytest.mark.parametrize(
    ("step", "error", "message"),
    [
        ("join_range", duckdb.OutOfMemoryException("x"), "the memory is not enough: end other processes"),
        ("read_file", MemoryError(), "the memory is not enough: end other processes"),
        ("read_file", duckdb.OutOfMemoryException("x"), "the memory is not enough: end other processes"),
        ("read_file", duckdb.IOException('IO Error: "a": No space left on device'), "is full ("),
        ("join_range", duckdb.OutOfMemoryException("see max_temp_directory_size"), "is full ("),
        ("join_range", full_database(), "is full ("),
        ("read_file", OSError(errno.EDQUOT, "Disk quota exceeded"), "is full ("),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_was_done_is_kept(tmp_path, month, step, error, message):
    failing = third_file(error) if step == "read_file" else error
    with patch.object(steps, step, side_effect=failing):
        last = failure(tmp_path / "copy", month.folder)
    assert message in last
    assert "what was done is kept, and the next run continues from there" in last
    code, output = make_copy(tmp_path / "copy", "build", month.folder)
    assert code == 0, output
    assert output.count("(as before)") == (2 if step == "read_file" else 31)
    assert_holds(tmp_path / "copy", month)


def test_a_wrong_statement_is_no_damage(tmp_path, month):
    with (
        patch.object(steps, "join_range", side_effect=duckdb.BinderException("no such column")),
        pytest.raises(duckdb.BinderException),
    ):
        make_copy(tmp_path / "copy", "build", month.folder)
    code, output = make_copy(tmp_path / "copy", "build", month.folder)
    assert (code, output.count("(as before)")) == (0, 31)


def test_a_real_limit_of_memory_is_named(tmp_path, month):
    with patch.object(steps, "share_of_machine", return_value=Share(memory=2_000_000, threads=1)):
        last = failure(tmp_path / "copy", month.folder)
    assert last.startswith("the memory is not enough")


def test_the_rows_are_the_same_however_many_are_joined_at_once(tmp_path, month):
    found = []
    for most in (1, 7, 10_000):
        with patch.object(Share, "rows", most):
            code, output = make_copy(tmp_path / f"{most}", "build", month.folder)
        assert code == 0, output
        found.append(rows_of(current_file(tmp_path / f"{most}")))
    assert found[0] == found[1] == found[2]
