"""The files of a month as they lie in a folder: which there are, and of which day."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from zipfile import BadZipFile

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.names import NAMES
from brskills_server.snapshot_builder.zips import check_member, open_zip

__all__ = ["PublishedFile", "PublishedMonth", "open_month"]

_LEAST = 2  # bytes: a file may be empty but for a line end
_DAY = re.compile(r"D([0-9])([0-9]{2})([0-9]{2})(?:\.|$)")


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """One zip with its only member; ``content_size``: of that, in bytes."""

    kind: str
    path: Path
    member: str
    content_size: int
    crc: int


@dataclass(frozen=True, slots=True)
class PublishedMonth:
    """The 37 files, small tables first, and the day of their data. ``id`` is another for other contents."""

    day: date
    files: tuple[PublishedFile, ...]
    id: str

    def of(self, kind: str) -> list[PublishedFile]:
        """The files with rows of a kind."""
        return [file for file in self.files if file.kind == kind]

    @property
    def content_size(self) -> int:
        """Of all that is in them."""
        return sum(file.content_size for file in self.files)


def open_month(folder: Path, today: date | None = None) -> PublishedMonth:
    """The month in a folder; raises ``SnapshotError`` with all that is missing or cannot be."""
    faults: list[str] = []
    names = sorted(NAMES, key=lambda name: name != f"{NAMES[name]}.zip")  # the numbered ones last
    found = [file for name in names if (file := _open(NAMES[name], folder / name, faults))]
    today = today or datetime.now(UTC).date()
    days = {file.path.name: _day(file.member, today) for file in found}
    for name, day in days.items():
        if day is None:
            faults.append(f"{name}: the name of its member tells no day")
    known = sorted({day for day in days.values() if day})
    if len(known) > 1:
        several = "; ".join(f"{day}: {_named([n for n, d in days.items() if d == day])}" for day in known)
        faults.append(f"the files are of several days: {several}")
    faults += _twice(found)
    if faults:
        raise SnapshotError("\n".join(faults))
    identity = repr([(file.path.name, file.member, file.content_size, file.crc) for file in found])
    return PublishedMonth(known[0], tuple(found), hashlib.sha256(identity.encode()).hexdigest()[:16])


def _named(names: list[str]) -> str:
    return ", ".join(names) if len(names) < 4 else f"{len(names)} files"


def _twice(files: list[PublishedFile]) -> list[str]:
    """Files brought over others' names: rows of one would be missing, and those of the other there twice."""
    first: dict[tuple[int, int], str] = {}
    return [
        f"{file.path.name} has the same content as {other}"
        for file in files
        if file.content_size > _LEAST
        and (other := first.setdefault((file.content_size, file.crc), file.path.name)) != file.path.name
    ]


def _open(kind: str, path: Path, faults: list[str]) -> PublishedFile | None:
    try:
        with open_zip(path) as (archive, opened):
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) == 1:
                check_member(opened, members[0])
    except FileNotFoundError:
        faults.append(f"{path.name} is missing")
        return None
    except (BadZipFile, OSError) as wrong:
        faults.append(f"{path.name} is not a whole zip: {wrong}")
        return None
    if len(members) != 1:
        faults.append(f"{path.name} has {len(members)} members instead of one")
        return None
    member = members[0]
    if not member.file_size:
        faults.append(f"{path.name} has an empty member")
        return None
    return PublishedFile(kind, path, member.filename, member.file_size, member.CRC)


def _day(member: str, today: date) -> date | None:
    """``…D60912…`` is 12 September of the latest year that ends in 6 and is not after this one."""
    match = _DAY.search(member)
    if match is None:
        return None
    digit, month, day = map(int, match.groups())
    year = today.year - (today.year - digit) % 10
    try:
        found = date(year, month, day)
        return found if found <= today else date(year - 10, month, day)
    except ValueError:
        return None
