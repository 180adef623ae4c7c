"""The rows of a published file as lines of UTF-8, a part of the file at a time.

A part lies in memory, never on a disk: it holds the full CPFs that stand in some names.
"""

from __future__ import annotations

import os
import re
import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from brskills_server.snapshot_builder.content import pieces
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.source_files import PublishedFile

__all__ = ["parts", "readable"]

PART_BYTES = 64 * 1024 * 1024
_PIECE_BYTES = 1024 * 1024
"""What is cleaned at once: odd lines take thirty times their size on the way."""
_LONGEST_LINE = 128 * 1024
"""No row is longer: the widest has 30 columns, none of more than 2,000 characters of two bytes."""
_CONTROLS = bytes(c for c in (*range(0x20), 0x7F) if c != 0x0A)
_TO_BLANKS = bytes.maketrans(_CONTROLS, b" " * len(_CONTROLS))
# In ISO-8859-1 the second set of control characters and the no-break space, too.
_LATIN_TO_BLANKS = bytes(
    32 if chr(c) in "\x7f\xa0" or 0x80 <= c < 0xA0 or (c < 0x20 and c != 0x0A) else c for c in range(256)
)
_NOT_OPENED = re.compile(rb'\n(?<=[^"\n]\n)\n*[^"\n][^\n]*+(?:\n+[^"\n][^\n]*+)*+')
"""Behind a line that does not close its last text: all lines that begin with none."""


def parts(file: PublishedFile, part_bytes: int = PART_BYTES) -> Iterator[tuple[bytes, int]]:
    """Whole lines of about ``part_bytes``, cleaned, and how many bytes of the content were read so far.

    Raises ``SnapshotError`` as ``content.pieces`` does, and for a line that is longer than any row.
    """
    waiting: list[bytes] = []
    begun = done = 0
    for lines, done in _cleaned(file, min(part_bytes, _PIECE_BYTES)):
        if _has_longer_line(lines):
            raise SnapshotError(f"{file.path.name} has a line of more than {_LONGEST_LINE:,} bytes")
        waiting.append(lines)
        if done - begun >= part_bytes:
            yield b"\n".join(waiting), done
            waiting, begun = [], done
    if waiting:
        yield b"\n".join(waiting), done


def _cleaned(file: PublishedFile, piece_bytes: int) -> Iterator[tuple[bytes, int]]:
    """Whole lines of about a piece, or more where so much is one line."""
    done, rest = 0, b""
    for piece in pieces(file, piece_bytes):
        rest += piece if done else piece.removeprefix(BOM_UTF8)
        done += len(piece)
        end = _end_of_rows(rest)
        if end < 0 and len(rest) > _LONGEST_LINE:
            end = len(rest)  # all of it is one line, which is refused
        if end >= 0:
            yield _clean(rest[:end]), done
            rest = rest[end:].removeprefix(b"\n")
    if rest.strip():
        yield _clean(rest), done


def _has_longer_line(lines: bytes) -> bool:
    """Whether a line is longer than any row; looks at one line feed in as many bytes as a line may have."""
    start = 0
    while len(lines) - start > _LONGEST_LINE:
        end = lines.rfind(b"\n", start, start + _LONGEST_LINE + 1)
        if end < 0:
            return True
        start = end + 1
    return False


def _end_of_rows(content: bytes) -> int:
    """Where the last row ends that is known to be whole; -1 where none does."""
    for between in (b'"\n"', b'"\r\n"'):
        if (end := content.rfind(between)) >= 0:
            return end + len(between) - 2
    # A little may be one row with a line feed in it; much is rows without quotes.
    return content.rfind(b"\n") if len(content) > _LONGEST_LINE else -1


def _clean(lines: bytes) -> bytes:
    """Lines in UTF-8 without carriage returns and with blanks for other control characters."""
    if b"\r" in lines:
        lines = lines.replace(b"\r\n", b"\n")
    try:  # Portuguese in ISO-8859-1 is never UTF-8 too, unless it has not one accent
        lines.decode("utf-8")
        lines = lines.translate(_TO_BLANKS)
    except UnicodeDecodeError:
        lines = lines.translate(_LATIN_TO_BLANKS).decode("iso-8859-1").encode()
    return _NOT_OPENED.sub(_with_texts_whole, lines)


def _with_texts_whole(found: re.Match[bytes]) -> bytes:
    """Lines that continue a text of the row before them become a part of it: a line feed is a blank there.

    They end with the line that closes the row. No whole row is ever continued or a continuation: it has a
    quote at both ends, or separators and no quotes at all.
    """
    lines = found.string
    before = lines[lines.rfind(b"\n", 0, found.start()) + 1 : found.start()].strip(b" ")
    is_open = before.startswith(b'"') and not before.endswith(b'"')
    whole = bytearray()
    for line in filter(None, found[0].split(b"\n")):
        text = line.strip(b" ")
        is_open = is_open and not text.startswith(b'"') and (b'"' in text or b";" not in text)
        whole += b" " if is_open else b"\n"
        whole += line
        is_open = is_open and not text.endswith(b'"')
    return bytes(whole)


@contextmanager
def readable(lines: bytes) -> Iterator[str]:
    """A path at which this process can read the bytes, which no other file system entry leads to."""
    with _nameless() as file:
        file.write(lines)
        file.flush()
        yield f"/dev/fd/{file.fileno()}"


def _nameless() -> IO[bytes]:
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("rows"), "wb+")
    return tempfile.TemporaryFile()
