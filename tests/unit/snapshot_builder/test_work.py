"""The folder that a build resumes from."""

from pathlib import Path

import pytest

from brskills_server.snapshot_builder import work
from brskills_server.snapshot_builder.work import open_work


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("copy_statement", lambda *_: "another"),
        ("FIELD_MACROS", "others"),
        ("FORMAT", "another"),
        ("INDEXED_WORDS", "others"),
    ],
)
def test_what_another_release_has_made_is_not_resumed_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, other: object
) -> None:
    begun = open_work(tmp_path, "files")
    (begun / "search.db").touch()
    assert [*open_work(tmp_path, "files").iterdir()] == [begun / "search.db"]
    monkeypatch.setattr(work, name, other)
    assert [*open_work(tmp_path, "files").iterdir()] == []
    assert not begun.exists()
