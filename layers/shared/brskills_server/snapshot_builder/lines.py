"""The rows of a published file as lines of UTF-8, a part of the file at a time.

A part is held in memory, never on a disk: it contains the full CPFs of some names.
"""

import os
import re
import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.source_files import PublishedFile

PART_BYTES = 64 * 1024 * 1024
_PIECE_BYTES = 1024 * 1024
"""Cleaned at once: odd lines take up to thirty times their size meanwhile."""
_SEARCHED_BYTES = 256 * 1024
"""Searched at once, and cleaned if something is found."""
_MAX_LINE = 128 * 1024
"""Bytes; the widest row has 30 columns of at most 2,000 characters of two bytes."""
_MAX_SEPARATORS = 1_000
"""Of a line: each adds a column, of sixteen bytes, and thousands of lines are split at once."""
_CONTROLS = bytes(c for c in (*range(0x20), 0x7F) if c != 0x0A)
_TO_BLANKS = bytes.maketrans(_CONTROLS, b" " * len(_CONTROLS))
# In ISO-8859-1 also the second set of control characters and the no-break space.
_LATIN_TO_BLANKS = bytes(
    32 if chr(c) in "\x7f\xa0" or 0x80 <= c < 0xA0 or (c < 0x20 and c != 0x0A) else c for c in range(256)
)
_CONTINUATIONS = re.compile(rb'\n(?<=[^"\n]\n)\n*[^"\n][^\n]*+(?:\n+[^"\n][^\n]*+)*+')
"""All lines that do not begin with a quote, behind a line that does not end with one."""


class Part(NamedTuple):
    """Whole cleaned lines. ``rows``: those that are not blank. ``done``: bytes of the content so far."""

    lines: bytes
    rows: int
    done: int


def parts(file: PublishedFile, part_bytes: int = PART_BYTES) -> Iterator[Part]:
    """Yield parts of about ``part_bytes``; one at least.

    Raise `SnapshotError` as `PublishedFile.pieces` does, and for a line that is wider than any row.
    """
    pending: list[bytes] = []
    rows = begun = done = 0
    for piece, done in _whole_rows(file, min(part_bytes, _PIECE_BYTES)):
        cleaned = _clean(piece)
        lines = cleaned.split(b"\n")
        _check_widths(file, lines)
        rows += sum(1 for _ in filter(bytes.strip, lines))
        pending.append(cleaned)
        if done - begun >= part_bytes:
            yield Part(b"\n".join(pending), rows, done)
            pending, rows, begun = [], 0, done
    if pending or not begun:
        yield Part(b"\n".join(pending), rows, done)


def _check_widths(file: PublishedFile, lines: list[bytes]) -> None:
    longest = max(map(len, lines))
    if longest > _MAX_LINE:
        raise SnapshotError(f"{file.path.name} has a line of more than {_MAX_LINE:,} bytes")
    if longest > _MAX_SEPARATORS and max(line.count(b";") for line in lines) > _MAX_SEPARATORS:
        raise SnapshotError(f"{file.path.name} has a line of more than {_MAX_SEPARATORS:,} semicolons")


def found_lines(file: PublishedFile, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    """Yield what matches in the cleaned lines, each behind a line feed. Raise `SnapshotError` as `parts`.

    ``pattern``: a line feed, and characters that cleaning does not change. What has no match is not cleaned.
    """
    for piece, _ in _whole_rows(file, _SEARCHED_BYTES):
        if pattern.search(b"\n" + piece):
            yield from pattern.finditer(b"\n" + _clean(piece))


def _whole_rows(file: PublishedFile, piece_bytes: int) -> Iterator[tuple[bytes, int]]:
    """Yield whole rows of about a piece, or of more if one is longer, and the bytes read so far."""
    done, rest = 0, b""
    for piece in file.pieces(piece_bytes):
        rest += piece if done else piece.removeprefix(BOM_UTF8)
        done += len(piece)
        end = _end_of_rows(rest)
        if end < 0 and len(rest) > _MAX_LINE:
            end = len(rest)  # a single line, which `parts` rejects
        if end >= 0:
            yield rest[:end], done
            rest = rest[end:].removeprefix(b"\n")
    if rest.strip():
        yield rest, done


def _end_of_rows(content: bytes) -> int:
    """Return where the last row that is surely whole ends, or -1."""
    for between in (b'"\n"', b'"\r\n"'):
        if (end := content.rfind(between)) >= 0:
            return end + len(between) - 2
    # Few bytes may be one row with a line feed in it; many are rows without quotes.
    return content.rfind(b"\n") if len(content) > _MAX_LINE else -1


def _clean(lines: bytes) -> bytes:
    """Return lines in UTF-8 without carriage returns, and with blanks for other control characters."""
    if b"\r" in lines:
        lines = lines.replace(b"\r\n", b"\n")
    try:  # Portuguese in ISO-8859-1 is not valid UTF-8 unless it has no accent
        lines.decode("utf-8")
        lines = lines.translate(_TO_BLANKS)
    except UnicodeDecodeError:
        lines = lines.translate(_LATIN_TO_BLANKS).decode("iso-8859-1").encode()
    return _CONTINUATIONS.sub(_join_continuations, lines)


def _join_continuations(found: re.Match[bytes]) -> bytes:
    """Join lines that continue a text of the row before them to it, with a blank for the line feed.

    The line that closes the row is the last of them. A whole row is neither continued nor a continuation: it
    has a quote at both ends, or separators and no quotes.
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
def in_memory_file(lines: bytes) -> Iterator[str]:
    """Write the bytes to a file without a name on any disk; yield a path by which this process reads it."""
    has_memory_files = hasattr(os, "memfd_create")  # Linux
    with os.fdopen(os.memfd_create("rows"), "wb") if has_memory_files else tempfile.TemporaryFile() as file:
        file.write(lines)
        file.flush()
        yield f"/dev/fd/{file.fileno()}"
