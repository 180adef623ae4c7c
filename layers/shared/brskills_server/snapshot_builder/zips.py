"""What is in a zip, and whether it can be opened. Check sums are tested while its rows are read."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, FileIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

__all__ = ["LONGEST_READ", "check_member", "is_readable", "members_of", "open_zip"]

LONGEST_READ = 1024 * 1024
"""Bytes that are read of an archive at once. A directory is read whole, so this is its limit too."""

_ENCRYPTED, _SIZES_FOLLOW = 0x1, 0x8  # flags
_LOCAL = struct.Struct("<4s5H3L2H")
_LATER = 0xFFFFFFFF  # in place of a size that the field with 64 bits holds
_SMALL, _RATIO, _LARGEST = 16 * 1024**2, 100, 32 * 1024**3
"""A member of more bytes than the first has at most so many times its archive's, and at most the last. The
month's files inflate by ten at most, and all of them together to 27 GB."""

# What a damaged directory makes ``zipfile`` raise beside its own exception.
_MALFORMED = (ValueError, EOFError, NotImplementedError, struct.error)


class _Pieces(BufferedReader):
    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LONGEST_READ:
            raise BadZipFile("its directory is longer than a month's file has one")
        return super().read(size)


@contextmanager
def open_zip(path: Path) -> Iterator[tuple[ZipFile, BufferedReader]]:
    """An archive and the file it is in. Raises ``BadZipFile`` for whatever is malformed, and ``OSError``."""
    with _Pieces(FileIO(path)) as file:
        try:
            with ZipFile(file) as archive:
                yield archive, file
        except _MALFORMED as wrong:
            raise BadZipFile(str(wrong)) from wrong


def members_of(path: Path) -> list[ZipInfo]:
    """What the zip's central directory, which stands at its end, names.

    Raises ``BadZipFile`` where it cannot be read, and ``OSError``.
    """
    with open_zip(path) as (archive, _):
        return archive.infolist()


def check_member(file: BufferedReader, member: ZipInfo) -> None:
    """Raise ``BadZipFile`` unless a member is as its own header says, plainly packed and of a likely size."""
    if member.flag_bits & _ENCRYPTED:
        raise BadZipFile("its member is encrypted")
    if member.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        raise BadZipFile("its member is neither deflated nor stored")
    size = file.seek(0, 2)
    if member.file_size > min(max(_SMALL, _RATIO * size), _LARGEST):
        raise BadZipFile(f"its member would have {member.file_size:,} bytes, and it has {size:,}")
    file.seek(member.header_offset)
    try:
        told, is_later = _local(file)
    except struct.error:
        raise BadZipFile("its member has no whole header") from None
    if told != (member.CRC, member.compress_size, member.file_size) and not (is_later and not any(told)):
        raise BadZipFile("its member's header says another size or sum than its directory")


def _local(file: BufferedReader) -> tuple[tuple[int, int, int], bool]:
    """The sum and sizes in a member's own header, and whether it may leave them to the directory."""
    _, _, flags, _, _, _, crc, packed, size, name, extra = _LOCAL.unpack(file.read(_LOCAL.size))
    file.read(name)
    fields, long = file.read(extra), b""
    while fields:
        field, length = struct.unpack_from("<2H", fields)
        if field == 1:
            long = fields[4 : 4 + length]
        fields = fields[4 + length :]
    if size == _LATER:
        (size,) = struct.unpack_from("<Q", long)
        long = long[8:]
    if packed == _LATER:
        (packed,) = struct.unpack_from("<Q", long)
    return (crc, packed, size), bool(flags & _SIZES_FOLLOW)


def is_readable(path: Path) -> bool:
    """Whether the directory can be read and names a member."""
    try:
        return bool(members_of(path))
    except BadZipFile:
        return False
