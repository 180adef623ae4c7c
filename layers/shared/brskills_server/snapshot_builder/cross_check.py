"""The cross-check: look-ups in the new snapshot, compared with a second reading of a sample."""

import random
import re
import string
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import log10
from pathlib import Path
from threading import Event

from brskills_server.adapters.snapshots.folder import MonthFile
from brskills_server.registry.providers.reader import read_record
from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany, record_text
from brskills_server.snapshot_builder.csv_records import COLUMNS, PROVIDER, Rows, answers, parse_line
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.lines import found_lines, parts
from brskills_server.snapshot_builder.source_files import PublishedFile, PublishedMonth
from taxid import cnpj

_ROOTS = 300
_PART_BYTES = 1024 * 1024
_MAX_BYTES, _ROW_BYTES = 64 * 1024**2, 4096
"""Memory of a file's rows in the sample, and of a row beside its text: 15,000 rows. A real sample has some
hundred, or fifty times that with the company of the most establishments in it."""
_ROOT = re.compile(rb'\n"?([0-9A-Za-z]{8})"?;')


Sample = Counter[str]
"""Counts: ``compared`` establishments, ``different`` ones, and ``different.<field>`` of the record."""


def take_sample(
    month: PublishedMonth, file: Path, companies: int, report: Callable[[int], None], threads: int
) -> Sample:
    """Read some hundred companies again and look them up. ``report`` is called with bytes read since before.

    ``companies``: their number in the month. ``threads``: how many files are read at once. Raise
    `SnapshotError` if the sample is larger than a register's can be.
    """
    rows = _read_sample(month, companies, report, threads)
    snapshot = MonthFile(file)
    sample = Sample()
    for of_root in rows.values():
        for answer in answers(of_root, month.day.isoformat()):
            _compare(answer, snapshot, sample)
    return sample


def _read_sample(
    month: PublishedMonth, companies: int, report: Callable[[int], None], threads: int
) -> dict[str, Rows]:
    """Return the rows of roots with the same ending, by root and kind."""
    length = min(7, round(log10(max(companies / _ROOTS, 1))))
    ending = _ending_of_some_root(month, length)
    pattern = re.compile(rb'\n"?([0-9A-Za-z]{%d}%b)"?;[^\n]*' % (8 - length, ending))
    files = [file for file in month.files if file.kind in COLUMNS]
    found: dict[str, Rows] = defaultdict(lambda: defaultdict(dict))
    malformed: set[str] = set()
    ended = Event()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for file, lines in zip(files, pool.map(partial(_lines_of, pattern, ended), files), strict=True):
                for root, line in lines:
                    row = parse_line(line, COLUMNS[file.kind])
                    if row is None:
                        malformed.add(root)
                    else:
                        found[root][file.kind][tuple(row.values())] = row
                report(file.content_size)
        finally:
            ended.set()
    return {root: rows for root, rows in found.items() if root not in malformed}


def _lines_of(pattern: re.Pattern[bytes], ended: Event, file: PublishedFile) -> list[tuple[str, str]]:
    """Return the roots and lines of a file that match, few enough for the memory."""
    held = 0
    found = []
    for match in found_lines(file, pattern):
        held += len(match[0]) + _ROW_BYTES
        if held > _MAX_BYTES:
            raise SnapshotError(f"{file.path.name} has too many rows of some companies")
        if ended.is_set():
            break
        found.append((match[1].decode().upper(), match[0].decode().strip()))
    return found


def _ending_of_some_root(month: PublishedMonth, length: int) -> bytes:
    """Return a pattern of the last characters of an existing root, so that the sample is never empty.

    Each matches one digit and two or three letters: roots with letters are sampled as often.
    """
    chance = random.Random(month.id)  # noqa: S311, another sample each month
    for published in (file for file in month.files if file.kind == "Empresas"):
        for lines, _, _ in parts(published, part_bytes=_PART_BYTES):
            if roots := _ROOT.findall(b"\n" + lines):
                root = chance.choice(roots).decode().upper()
                return "".join(map(_alike, root[8 - length :])).encode()
    return b"[0-9]" * length


def _alike(character: str) -> str:
    """Return a class of the characters whose positions in the alphabet end in the same digit.

    >>> _alike("1"), _alike("B")
    ('[1BLVblv]', '[1BLVblv]')
    """
    alphabet = string.ascii_uppercase
    digit = int(character) if character.isdigit() else alphabet.index(character) % 10
    letters = alphabet[digit::10]
    return f"[{digit}{letters}{letters.lower()}]"


def _compare(answer: dict[str, object], snapshot: MonthFile, sample: Sample) -> None:
    try:
        expected = read_record(PROVIDER, answer)
    except (ValueError, ArithmeticError):
        return  # not a record: the snapshot need not contain it
    if not cnpj.is_valid(expected.cnpj):
        return  # no caller can look it up
    found = snapshot.find(expected.cnpj)
    if found and not all(found):
        return  # marked as unreadable
    sample["compared"] += 1
    if found is None:
        sample.update(("different", "different.missing"))
        return
    # This reading has no texts for codes that only the month's tables contain.
    company = SnapshotCompany(expected.cnpj, *found, Edition(snapshot.edition.day))
    read = type(expected).model_validate_json(record_text(company))
    if read != expected:
        sample["different"] += 1
        sample.update(
            f"different.{name}"
            for name in type(expected).model_fields
            if getattr(read, name) != getattr(expected, name)
        )
