"""Months of zips that can be opened and hold nothing of meaning, for what moves files and reads none."""

import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from random import Random

from brskills_server.snapshot_builder.sources.month import NAMES


def a_zip(size: int, seed: object = 0) -> bytes:
    """Return a zip with one stored member of ``size`` random bytes; some hundred bytes longer than that."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as opened:
        opened.writestr(zipfile.ZipInfo("MEMBER.D61010"), Random(f"{seed}").randbytes(size))
    return content.getvalue()


def write_month(folder: Path, size: int = 3000, without: Iterable[str] = ()) -> None:
    """Write the 37 files without some to a new folder; no two of any month are equal."""
    folder.mkdir(parents=True)
    for place, name in enumerate(NAMES):
        if name not in without:
            (folder / name).write_bytes(a_zip(size + place, f"{folder.name}/{name}"))


def read_month(folder: Path) -> dict[str, bytes]:
    """Return the contents of a month's files by name."""
    return {name: (folder / name).read_bytes() for name in NAMES}
