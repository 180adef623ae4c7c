"""A killed build leaves the snapshot in place unchanged, and the next run resumes.

``make copy-kills`` kills some hundred.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from brskills_server.snapshot_builder import machine, steps
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from tests.integration.snapshot_builder.building import (
    assert_holds,
    build,
    current_file,
    failure,
    interrupted,
    publish,
    rows_of,
)
from tests.integration.snapshot_builder.killing import Killings
from tests.register.company import companies

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def killings(tmp_path_factory) -> Killings:
    return Killings(tmp_path_factory.mktemp("kills"))


def test_killed_builds(killings):
    """The second one is while the work folder is deleted, of which nothing must be left."""
    calls = killings.undisturbed.calls
    assert killings.kill_at(int(calls * 0.4)) == "previous, resumed"
    assert killings.kill_at(int(calls * 0.8)) == "previous, finished"
    assert killings.kill_at(calls - 1).startswith("following")


@contextmanager
def recorded(name: str, ends_after: int | None = None) -> Iterator[list[object]]:
    """Record the third argument of each call of a step's function; interrupt a further call."""
    function = getattr(steps, name)
    done: list[object] = []

    def call(*arguments: object) -> object:
        if len(done) == ends_after:
            raise KeyboardInterrupt
        done.append(arguments[2])
        return function(*arguments)

    with patch.object(steps, name, call):
        yield done


@pytest.mark.parametrize(("step", "number"), [("read_file", 31), ("join_range", 12)])
def test_completed_work_is_not_repeated(tmp_path, monkeypatch, step, number):
    month = publish(tmp_path / "in", companies(1, 12, step=1_000_003))
    monkeypatch.setattr(machine, "_MOST_ROWS", 1)
    with recorded(step, ends_after=9) as first:
        failure(tmp_path / "copy", month.folder)
    with recorded(step) as second:
        rows = rows_of(build(tmp_path / "copy", month.folder))
    assert len(first) == 9
    assert len({*first, *second}) == len(first) + len(second) == number
    assert month.records().keys() <= rows.keys()


def test_only_the_same_files_are_resumed(tmp_path, months):
    with interrupted():
        failure(tmp_path, months[0].folder)
    with interrupted(), recorded("read_file") as read, recorded("join_range") as joined:
        failure(tmp_path, months[0].folder)
    assert (read, joined) == ([], [])
    with recorded("read_file") as read:
        rows = rows_of(build(tmp_path, months[1].folder))
    assert len(read) == 31
    assert {key for key in rows if len(key) == 14} == months[1].records().keys()


def test_a_finished_month_is_put_in_place_by_the_next_run(folder, months):
    with patch.object(SnapshotFolder, "switch", side_effect=KeyboardInterrupt):
        failure(folder, months[2].folder)
    assert current_file(folder).parent.name == f"{months[1].day}"
    with recorded("read_file") as read:
        build(folder, months[2].folder)
    assert read == []
    assert_holds(folder, months[2])


def test_a_finished_month_of_other_files_is_deleted(folder, months, tmp_path):
    with patch.object(SnapshotFolder, "switch", side_effect=KeyboardInterrupt):
        failure(folder, months[2].folder)
    other = publish(tmp_path / "other", companies(11, 38), months[2].day)
    build(folder, other.folder)
    assert_holds(folder, other)
    assert len(list(folder.glob("2026-*"))) == 2
