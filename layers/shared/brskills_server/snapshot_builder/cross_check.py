"""The cross-check: look-ups in the new snapshot, compared with a second reading of a sample."""

import random
import re
import string
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from math import log10
from pathlib import Path

from brskills_server.adapters.snapshots.folder import MonthFile
from brskills_server.registry.providers.reader import read_record
from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany, record_text
from brskills_server.snapshot_builder.csv_records import COLUMNS, PROVIDER, Rows, answers, parse_line
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.lines import parts
from brskills_server.snapshot_builder.source_files import PublishedMonth
from taxid import cnpj

_ROOTS = 300
_PART_BYTES = 1024 * 1024
_MAX_BYTES, _ROW_BYTES = 256 * 1024**2, 4096
"""Memory of the sample, and of a row beside its text: 60,000 rows. A real sample has some thousand, or five
times that with the company of the most establishments in it."""
_ROOT = re.compile(rb'\n"?([0-9A-Za-z]{8})"?;')
_LINE = re.compile(rb"[^\n ][^\n]*")


Sample = Counter[str]
"""Counts: ``compared`` establishments, ``different`` ones, and ``different.<field>`` of the record."""


def take_sample(
    month: PublishedMonth,
    file: Path,
    counts: Mapping[str, int],
    report: Callable[[int], None] = lambda _: None,
) -> Sample:
    """Read some hundred companies again and look them up. ``report`` is called with bytes read since before.

    ``counts``: the rows of each kind in the first reading. Raise `SnapshotError` if this one finds another
    number, and if the sample is larger than a register's can be.
    """
    rows = _read_sample(month, counts, report)
    snapshot = MonthFile(file)
    sample = Sample()
    for of_root in rows.values():
        for answer in answers(of_root, month.day.isoformat()):
            _compare(answer, snapshot, sample)
    return sample


def _read_sample(
    month: PublishedMonth, counts: Mapping[str, int], report: Callable[[int], None]
) -> dict[str, Rows]:
    """Return the rows of roots with the same ending, by root and kind."""
    length = min(7, round(log10(max(counts["Empresas"] / _ROOTS, 1))))
    ending = _ending_of_some_root(month, length)
    pattern = re.compile(rb'\n"?([0-9A-Za-z]{%d}%b)"?;[^\n]*' % (8 - length, ending))
    found: dict[str, Rows] = defaultdict(lambda: defaultdict(dict))
    malformed: set[str] = set()
    lines_by_kind: Counter[str] = Counter()
    held = 0
    for published in (file for file in month.files if file.kind in COLUMNS):
        before = 0
        for lines, done in parts(published, part_bytes=_PART_BYTES):
            lines_by_kind[published.kind] += len(_LINE.findall(lines))
            for match in pattern.finditer(b"\n" + lines):
                held += len(match[0]) + _ROW_BYTES
                if held > _MAX_BYTES:
                    raise SnapshotError(f"{published.path.name} has too many rows of some companies")
                root = match[1].decode().upper()
                row = parse_line(match[0].decode().strip(), COLUMNS[published.kind])
                if row is None:
                    malformed.add(root)
                else:
                    found[root][published.kind][tuple(row.values())] = row
            report(done - before)
            before = done
    if lines_by_kind != Counter(counts):  # a kind without rows is in neither
        raise SnapshotError(
            f"the readings differ: {dict(counts)} rows, and {dict(lines_by_kind)} in the second"
        )
    return {root: rows for root, rows in found.items() if root not in malformed}


def _ending_of_some_root(month: PublishedMonth, length: int) -> bytes:
    """Return a pattern of the last characters of an existing root, so that the sample is never empty.

    Each matches one digit and two or three letters: roots with letters are sampled as often.
    """
    chance = random.Random(month.id)  # noqa: S311, another sample each month
    for published in (file for file in month.files if file.kind == "Empresas"):
        for lines, _ in parts(published, part_bytes=_PART_BYTES):
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
