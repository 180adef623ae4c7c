"""The files of a month in a folder: which exist, their day, and the content of each."""

import hashlib
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import reduce
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.month import NAMES, is_zip, published_names
from brskills_server.snapshot_builder.zips import MAX_READ, check_member, open_zip

_EMPTY_BYTES = 2  # a file without rows may be a line end
_DAY = re.compile(r"D([0-9])([0-9]{2})([0-9]{2})(?:\.|$)")


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """One zip with its only member, or the member unzipped. ``name``: one of the 37.

    ``content_size`` and ``crc``: of the member, in bytes.
    """

    name: str
    path: Path
    member: str
    content_size: int
    crc: int

    @property
    def kind(self) -> str:
        """Return the kind of its rows."""
        return NAMES[self.name]

    def pieces(self, piece_bytes: int = MAX_READ) -> Iterator[bytes]:
        """Yield the member's content, ``piece_bytes`` at a time.

        Raise `SnapshotError`, at the latest with the last piece, if the zip is damaged, has changed, or has
        more or fewer bytes than its directory says: every reading that ends has read the same content.
        """
        if not is_zip(self.path.name):
            yield from self._unzipped(piece_bytes)
            return
        try:
            with open_zip(self.path) as (archive, file):
                member = next((one for one in archive.infolist() if one.filename == self.member), None)
                if member is None or (member.file_size, member.CRC) != (self.content_size, self.crc):
                    raise SnapshotError(f"{self.path.name} has changed since the build began")
                check_member(file, member)
                yield from _pieces(archive, member, piece_bytes)
        except (BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
            raise SnapshotError(f"{self.path.name} is damaged: {str(error)[:200]}") from error

    def _unzipped(self, piece_bytes: int) -> Iterator[bytes]:
        sum_read = 0
        for piece in _read(self.path, piece_bytes):
            sum_read = zlib.crc32(piece, sum_read)
            yield piece
        if sum_read != self.crc:
            raise SnapshotError(f"{self.path.name} has changed since the build began")


def _read(path: Path, piece_bytes: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(piece_bytes):
            yield piece


def _pieces(archive: ZipFile, member: ZipInfo, piece_bytes: int) -> Iterator[bytes]:
    left = member.file_size
    member.file_size += 1  # otherwise ``zipfile`` ignores further bytes
    with archive.open(member) as content:
        while piece := content.read(piece_bytes):
            left -= len(piece)
            if left < 0:
                raise BadZipFile("its member has more bytes than its directory says")
            yield piece
    if left:
        raise BadZipFile("its member has fewer bytes than its directory says")


@dataclass(frozen=True, slots=True)
class PublishedMonth:
    """The 37 files, small tables first, and the day of their data. ``id`` identifies their contents."""

    day: date
    files: tuple[PublishedFile, ...]
    id: str

    @property
    def content_size(self) -> int:
        """Return the bytes of all members."""
        return sum(file.content_size for file in self.files)


def open_month(folder: Path, today: date | None = None, stated: date | None = None) -> PublishedMonth:
    """Return the month in a folder. Raise `SnapshotError` with every reason why it cannot be used.

    ``stated``: the day of the files whose names, of zip and member, have none.
    """
    issues: list[str] = []
    published = published_names(path.name for path in folder.iterdir())
    names = sorted(NAMES, key=lambda name: name != f"{NAMES[name]}.zip")  # the numbered ones last
    paths = {name: folder / published.get(name, [name])[0] for name in names}
    files = [file for name, path in paths.items() if (file := _open(name, path, issues))]
    today = today or datetime.now(UTC).date()
    days = {
        file.path.name: _day(file.member, today) or _day(file.path.name, today) or stated for file in files
    }
    without = [name for name, day in days.items() if day is None]
    if without:
        issues.append(f"no day is in the name of {_listed(without)}: state the month's with --day 2026-11-14")
    if stated:
        days["--day"] = stated
        issues += ["--day is in the future"] * (stated > today)
    known = sorted({day for day in days.values() if day})
    if len(known) > 1:
        several = "; ".join(f"{day}: {_listed([n for n, d in days.items() if d == day])}" for day in known)
        issues.append(f"the files are of several days: {several}")
    issues += _duplicates(files)
    if issues:
        raise SnapshotError(*issues)
    identity = repr([(file.name, file.member, file.content_size, file.crc) for file in files])
    return PublishedMonth(known[0], tuple(files), hashlib.sha256(identity.encode()).hexdigest()[:16])


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) < 4 else f"{len(names)} files"


def _duplicates(files: list[PublishedFile]) -> list[str]:
    """Return an issue for each file that is a copy of another, whose own rows would be missing."""
    first: dict[tuple[int, int], str] = {}
    return [
        f"{file.path.name} has the same content as {other}"
        for file in files
        if file.content_size > _EMPTY_BYTES
        and (other := first.setdefault((file.content_size, file.crc), file.path.name)) != file.path.name
    ]


def _open(name: str, path: Path, issues: list[str]) -> PublishedFile | None:
    try:
        if not is_zip(path.name):
            crc = reduce(lambda crc, piece: zlib.crc32(piece, crc), _read(path, MAX_READ), 0)
            return PublishedFile(name, path, path.name, path.stat().st_size, crc)
        with open_zip(path) as (archive, file):
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) == 1:
                check_member(file, members[0])
    except FileNotFoundError:
        issues.append(f"{path.name} is missing")
        return None
    except (BadZipFile, OSError) as error:
        issues.append(f"{path.name} is not a whole zip: {error}")
        return None
    if len(members) != 1:
        issues.append(f"{path.name} has {len(members)} members instead of one")
        return None
    if not members[0].file_size:
        issues.append(f"{path.name} has an empty member")
        return None
    return PublishedFile(name, path, members[0].filename, members[0].file_size, members[0].CRC)


def _day(member: str, today: date) -> date | None:
    """Return the day in a name: ``D60912`` is 12 September of the latest year that ends in 6, up to today."""
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
