"""The bytes of a published file's member, by pieces, and all of them or a fault."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from zipfile import BadZipFile

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.source_files import PublishedFile
from brskills_server.snapshot_builder.zips import LONGEST_READ, check_member, open_zip

__all__ = ["pieces"]


def pieces(file: PublishedFile, piece_bytes: int = LONGEST_READ) -> Iterator[bytes]:
    """What the zip holds, ``piece_bytes`` at a time.

    Raises ``SnapshotError`` where the zip is damaged, which its last piece may show, or is not the one that was
    listed, or holds more or fewer bytes than it says: each reading that ends has read the same.
    """
    try:
        yield from _pieces(file, piece_bytes)
    except (BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as wrong:
        raise SnapshotError(f"{file.path.name} is damaged: {str(wrong)[:200]}") from wrong


def _pieces(file: PublishedFile, piece_bytes: int) -> Iterator[bytes]:
    with open_zip(file.path) as (archive, opened):
        member = next((one for one in archive.infolist() if one.filename == file.member), None)
        if member is None or (member.file_size, member.CRC) != (file.content_size, file.crc):
            raise SnapshotError(f"{file.path.name} is not the file any more that it was when the build began")
        check_member(opened, member)
        left = member.file_size
        member.file_size += 1  # or more would be passed over in silence
        with archive.open(member) as content:
            while piece := content.read(piece_bytes):
                left -= len(piece)
                if left < 0:
                    raise BadZipFile("its member holds more bytes than it says")
                yield piece
        if left:
            raise BadZipFile("its member holds fewer bytes than it says")
