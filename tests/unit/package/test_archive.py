"""An archive depends on names and contents alone, and its check sums hold."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

from package.archive import archive, write_sums


def folder(place: Path, mode: int) -> Path:
    made = place / "made"
    (made / "b").mkdir(parents=True, mode=mode | 0o100)
    for name in ("b/one", "a"):
        (made / name).write_text(name)
        (made / name).chmod(mode)
    return made


def test_other_times_and_rights_make_the_same_archive(tmp_path: Path) -> None:
    first = archive(folder(tmp_path / "1", 0o644), tmp_path / "first.tar.gz", 1_795_000_000)
    second = archive(folder(tmp_path / "2", 0o600), tmp_path / "second.tar.gz", 1_795_000_000)
    assert first.read_bytes() == second.read_bytes()


def test_everything_is_roots_and_readable(tmp_path: Path) -> None:
    with tarfile.open(archive(folder(tmp_path, 0o600), tmp_path / "it.tar.gz", 1_795_000_000)) as opened:
        members = {member.name: (oct(member.mode), member.uid, member.mtime) for member in opened}
    assert members == {
        "made": ("0o755", 0, 1_795_000_000),
        "made/a": ("0o644", 0, 1_795_000_000),
        "made/b": ("0o755", 0, 1_795_000_000),
        "made/b/one": ("0o644", 0, 1_795_000_000),
    }


def test_the_sums_are_what_sha256sum_checks(tmp_path: Path) -> None:
    made = folder(tmp_path, 0o644)
    write_sums(made)
    command = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    assert subprocess.run(command, cwd=made).returncode == 0
    (made / "b/one").write_text("another")
    assert subprocess.run(command, cwd=made, capture_output=True).returncode == 1
