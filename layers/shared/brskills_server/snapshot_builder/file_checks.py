"""Checks of a month's files, beside one another and beside those of the month before."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from statistics import median

from brskills_server.snapshot_builder.issues import Issue
from brskills_server.snapshot_builder.read_rows import ReadRows
from brskills_server.snapshot_builder.sources.month import NAMES

_MIN_GROWTH, _MAX_GROWTH = 0.97, 1.25
"""Rows of a kind, relative to the previous snapshot's."""
_UNCHANGED = 0.99
"""Where a kind has at least this share of its rows, they may have moved between its files."""
_MIN_OF_FILE, _MIN_OF_NEIGHBOURS = 0.95, 0.50
"""Rows of a file, relative to the month before, and to the median of the other files of its kind."""
_MIN_FILLED = 0.90
"""Rows with a value in a field, relative to the month before and to the rows."""
_TOLERANCE = 100
"""Rows allowed beyond each of these shares."""
_OF_FIRST = {
    "Empresas": ("name", "nature", "capital"),
    "Estabelecimentos": ("kind", "status", "opened", "activity", "city"),
    "Socios": ("name", "kind", "role"),
    "Simples": ("simples",),
}
"""Fields in which nearly all rows of the register have a value."""
_MIN_OF_FIRST = 0.50
"""Rows of a first build with a value in each of them, relative to all."""
_TO_COMPANIES = {"Estabelecimentos": 0.95, "Socios": 0.1, "Simples": 0.2}
"""Rows of a kind in a first build, relative to the companies'. In the register: 1.09, 0.41 and about 0.6."""


def file_issues(read: ReadRows, before: ReadRows) -> Iterator[Issue]:
    """Yield what is unusual of the files. ``before``: of the previous snapshot; empty in a first build."""
    yield from _rows_issues(read, before)
    yield from _files_issues(read, before)
    yield from _same_issues(read, before)
    yield from _filled_issues(read, before) if before.filled else _first_issues(read)


def _rows_issues(read: ReadRows, previous: ReadRows) -> Iterator[Issue]:
    """Compare the number of rows of each kind with the previous snapshot's, if there is one."""
    for kind in sorted(read.rows.keys() & previous.rows.keys()):
        rows, before = read.rows[kind]["rows"], previous.rows[kind]["rows"]
        least, most = max(int(before * _MIN_GROWTH) - _TOLERANCE, 0), int(before * _MAX_GROWTH) + _TOLERANCE
        if not least <= rows <= most:
            text = f"{rows:,} rows; expected are {least:,} to {most:,}, for the month before had {before:,}"
            yield Issue(kind.lower(), f"{kind}: {text}")


def _files_issues(read: ReadRows, previous: ReadRows) -> Iterator[Issue]:
    """Compare the rows of each file with its rows of the month before, or in a first build with the others'.

    The files of a kind numbered 1 to 9 have about the same size; number 0 is several times as large.
    """
    for name, number in read.by_file.items():
        kind = NAMES[name]
        if name in previous.by_file:
            if read.rows[kind]["rows"] >= _UNCHANGED * previous.rows[kind]["rows"]:
                continue
            before = previous.by_file[name]
            least, why = int(before * _MIN_OF_FILE), f"the month before had {before:,}"
        else:
            of_kind = {other: n for other, n in read.by_file.items() if NAMES[other] == kind}
            alike = [n for other, n in of_kind.items() if other != f"{kind}0.zip"]
            usual = int(median(alike))
            least, why = int(usual * _MIN_OF_NEIGHBOURS), f"the other files have about {usual:,}"
        if number < least - _TOLERANCE:
            text = f"{name}: {number:,} rows, and {why}: it may be incomplete, download it again"
            yield Issue(kind.lower(), text)


def _same_issues(read: ReadRows, before: ReadRows) -> Iterator[Issue]:
    """Find files that are one of the month before."""
    former = {*before.contents.values()}
    names = [name for name, one in read.contents.items() if one in former and read.by_file[name] > _TOLERANCE]
    for kind, same in groupby(names, key=NAMES.__getitem__):
        text = f"{', '.join(same)}: the content is that of the month before, download again"
        yield Issue(kind.lower(), text)


def _filled_issues(read: ReadRows, before: ReadRows) -> Iterator[Issue]:
    """Find fields that fewer rows have than in the month before."""
    for kind, of_field in read.filled.items():
        growth = read.rows[kind]["rows"] / max(before.rows[kind]["rows"], 1)
        usual = {name: int(number * growth) for name, number in before.filled.get(kind, {}).items()}
        yield from _less_filled(kind, of_field, usual, _MIN_FILLED)


def _less_filled(
    kind: str, of_field: Mapping[str, int], usual: Mapping[str, int], share: float
) -> Iterator[Issue]:
    for name, number in of_field.items():
        if number < int(share * usual.get(name, 0)) - _TOLERANCE:
            text = f"{kind}: {number:,} rows have a value in {name}; about {usual[name]:,} are expected"
            yield Issue(kind.lower(), text)


def _first_issues(read: ReadRows) -> Iterator[Issue]:
    """Compare a first build's fields and kinds with what the register is known to have."""
    companies = read.rows["Empresas"]["rows"]
    for kind, names in _OF_FIRST.items():
        rows = read.rows[kind]["rows"]
        if rows < int(companies * _TO_COMPANIES.get(kind, 0)) - _TOLERANCE:
            yield Issue(kind.lower(), f"{kind}: {rows:,} rows are few beside {companies:,} of Empresas")
        of_field = {name: read.filled[kind][name] for name in names}
        yield from _less_filled(kind, of_field, dict.fromkeys(names, rows), _MIN_OF_FIRST)
