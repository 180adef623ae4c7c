"""Zip archives of an untrusted source, read with limits on memory and size."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, FileIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

MAX_READ = 1024 * 1024
"""Bytes read of an archive at once. A directory is read whole, so this limits it too."""

_ENCRYPTED, _SIZES_FOLLOW = 0x1, 0x8  # flags
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_IN_ZIP64_FIELD = 0xFFFFFFFF  # instead of a size that the field with 64 bits contains
_ANY_RATIO, _MAX_RATIO, _MAX_BYTES = 16 * 1024**2, 100, 32 * 1024**3
"""A member above the first size inflates at most by the ratio, and no member is above the last size. The
month's files inflate by ten at most, all of them together to 27 GB."""

# Exceptions of ``zipfile`` for a damaged directory, beside its own.
_MALFORMED = (ValueError, EOFError, NotImplementedError, struct.error)


class _LimitedReader(BufferedReader):
    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_READ:
            raise BadZipFile("its directory is longer than that of a month's file")
        return super().read(size)


@contextmanager
def open_zip(path: Path) -> Iterator[tuple[ZipFile, BufferedReader]]:
    """Open an archive; yield it and its file. Raise `BadZipFile` if it is malformed, and `OSError`."""
    with _LimitedReader(FileIO(path)) as file:
        try:
            with ZipFile(file) as archive:
                yield archive, file
        except _MALFORMED as error:
            raise BadZipFile(str(error)) from error


def is_readable(path: Path) -> bool:
    """Return whether the archive's directory can be read and lists a member."""
    try:
        with open_zip(path) as (archive, _):
            return bool(archive.infolist())
    except BadZipFile:
        return False


def check_member(file: BufferedReader, member: ZipInfo) -> None:
    """Raise `BadZipFile` unless the member agrees with its own header and has a likely size."""
    if member.flag_bits & _ENCRYPTED:
        raise BadZipFile("its member is encrypted")
    if member.compress_type not in {ZIP_STORED, ZIP_DEFLATED, ZIP_BZIP2}:  # others' memory has no limit
        raise BadZipFile("its member is compressed in another way than deflate or bzip2")
    size = file.seek(0, 2)
    if member.file_size > min(max(_ANY_RATIO, _MAX_RATIO * size), _MAX_BYTES):
        raise BadZipFile(f"its member would have {member.file_size:,} bytes, and it has {size:,}")
    file.seek(member.header_offset)
    try:
        _, _, flags, _, _, _, crc, packed, content, _, _ = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    except struct.error:
        raise BadZipFile("its member has no whole header") from None
    sizes_follow = flags & _SIZES_FOLLOW and not (crc or packed or content)
    sizes = {(packed, member.compress_size), (content, member.file_size)}
    if not sizes_follow and (
        crc != member.CRC or any(own not in {listed, _IN_ZIP64_FIELD} for own, listed in sizes)
    ):
        raise BadZipFile("its member's header has another size or sum than its directory")
