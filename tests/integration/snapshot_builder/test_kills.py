"""A killed build leaves the snapshot in place unchanged, and the next run resumes.

``make copy-kills`` kills some hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

import brskills_server.snapshot_builder.steps
from tests.integration.snapshot_builder.building import current_file, make_copy, publish, rows_of
from tests.integration.snapshot_builder.killing import Killings
from tests.register.company import companies


@pytest.fixture(scope="module")
def killings(tmp_path_factory) -> Killings:
    return Killings(tmp_path_factory.mktemp("kills"))


@pytest.mark.parametrize("share", [0.3, 0.85, 0.95])
def test_killed_at_a_change(killings, share):
    """The last ones are during the deletion of the work folder, whose rest is not resumed from."""
    assert killings.kill_at(int(killings.undisturbed.calls * share)).startswith("former")


def test_killed_when_the_month_is_in_place(killings):
    assert killings.kill_at(killings.undisturbed.calls - 1).startswith("following")


def test_killed_at_a_moment(killings):
    assert killings.kill_after(killings.undisturbed.seconds / 2)


@contextmanager
def counted(name: str, ends_after: int | None = None) -> Iterator[list[object]]:
    """The third argument of each call of a step's function; the call after so many interrupts the build."""
    function: Callable = getattr(brskills_server.snapshot_builder.steps, name)
    done: list[object] = []

    def call(*arguments: object) -> object:
        if len(done) == ends_after:
            raise KeyboardInterrupt
        done.append(arguments[2])
        return function(*arguments)

    with patch.object(brskills_server.snapshot_builder.steps, name, call):
        yield done


def built(folder: Path) -> dict[str, str]:
    code, said = make_copy(folder / "copy", "build", folder / "in")
    assert code == 0, said
    return rows_of(current_file(folder / "copy"))


@pytest.mark.parametrize(("step", "all_of_it"), [("read_file", 31), ("join_part", 30)])
def test_what_is_done_is_not_done_again(tmp_path, step, all_of_it):
    month = publish(tmp_path / "in", companies(1, 30, step=1_000_003))
    with counted(step, ends_after=9) as first:
        assert make_copy(tmp_path / "copy", "build", tmp_path / "in")[0] == 1
    with counted(step) as second:
        rows = built(tmp_path)
    assert len(first) == 9
    assert len({*first, *second}) == len(first) + len(second) == all_of_it
    assert month.records().keys() <= rows.keys()


def test_what_is_compared_is_only_compared_again(tmp_path):
    publish(tmp_path / "in", companies(1, 30))
    with patch.object(brskills_server.snapshot_builder.steps, "take_sample", side_effect=KeyboardInterrupt):
        assert make_copy(tmp_path / "copy", "build", tmp_path / "in")[0] == 1
    with counted("read_file") as read, counted("join_part") as joined:
        built(tmp_path)
    assert (read, joined) == ([], [])


def test_files_that_are_not_the_same_are_read_anew(tmp_path):
    publish(tmp_path / "other", companies(2, 30))
    expected = publish(tmp_path / "in", companies(1, 30)).records()
    with patch.object(brskills_server.snapshot_builder.steps, "take_sample", side_effect=KeyboardInterrupt):
        assert make_copy(tmp_path / "copy", "build", tmp_path / "other")[0] == 1
    with counted("read_file") as read:
        rows = built(tmp_path)
    assert len(read) == 31
    assert {key for key in rows if len(key) == 14} == expected.keys()
