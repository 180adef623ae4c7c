"""A killed build leaves the snapshot in place unchanged, and the next run resumes.

``make copy-kills`` kills some hundred.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from brskills_server.snapshot_builder import steps
from tests.integration.snapshot_builder.building import build, failure, interrupted, publish, rows_of
from tests.integration.snapshot_builder.killing import Killings
from tests.register.company import companies


@pytest.fixture(scope="module")
def killings(tmp_path_factory) -> Killings:
    return Killings(tmp_path_factory.mktemp("kills"))


def test_killed_builds(killings):
    """The second one is while the work folder is deleted, whose rest is not resumed from."""
    calls = killings.undisturbed.calls
    assert killings.kill_at(int(calls * 0.4)).startswith("previous")
    assert killings.kill_at(int(calls * 0.95)).startswith("previous")
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


@pytest.mark.parametrize(("step", "number"), [("read_file", 31), ("join_part", 12)])
def test_completed_work_is_not_repeated(tmp_path, step, number):
    month = publish(tmp_path / "in", companies(1, 12, step=1_000_003))
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
    with interrupted(), recorded("read_file") as read, recorded("join_part") as joined:
        failure(tmp_path, months[0].folder)
    assert (read, joined) == ([], [])
    with recorded("read_file") as read:
        rows = rows_of(build(tmp_path, months[1].folder))
    assert len(read) == 31
    assert {key for key in rows if len(key) == 14} == months[1].records().keys()
