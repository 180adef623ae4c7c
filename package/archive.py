"""Check sums of a folder, and reproducible archives."""

from __future__ import annotations

import gzip
import hashlib
import tarfile
from pathlib import Path


def write_sums(folder: Path) -> None:
    """Write ``SHA256SUMS`` over all other files of a folder, as ``sha256sum --check`` reads it."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def archive(folder: Path, target: Path, epoch: int) -> Path:
    """Pack a folder, with every file dated ``epoch`` (Unix seconds) and owned by root. Return ``target``."""

    def anybody(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "root", "root"
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        return member

    with (
        target.open("wb") as file,
        # Without a file's name, which gzip would keep.
        gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=epoch) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar,
    ):
        tar.add(folder, folder.name, recursive=False, filter=anybody)
        for path in sorted(folder.rglob("*")):
            tar.add(path, f"{folder.name}/{path.relative_to(folder)}", recursive=False, filter=anybody)
    return target
