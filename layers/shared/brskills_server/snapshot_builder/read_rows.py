"""What was read of a month's files, and what the report of a snapshot says of it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from brskills_server.snapshot_builder.reading import FileCounts


@dataclass(frozen=True, slots=True)
class ReadRows:
    """Counts of a month's rows; empty where there is no report.

    ``rows``: kind of file → `FileCounts` of all its files, by name. ``by_file``: file → rows. ``contents``:
    file → size and check sum. ``filled``: kind → field → rows that have a value.
    """

    rows: dict[str, dict[str, int]] = field(default_factory=dict)
    by_file: dict[str, int] = field(default_factory=dict)
    filled: dict[str, Counter[str]] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_report(cls, report: Mapping[str, Any]) -> "ReadRows":
        """Return the counts in a report."""
        return cls(
            report["rows"],
            report["rows_by_file"],
            {kind: Counter(fields) for kind, fields in report["filled"].items()},
            report["contents"],
        )

    def as_report(self) -> dict[str, Any]:
        """Return the counts as a part of a report."""
        return {
            "rows": self.rows,
            "rows_by_file": self.by_file,
            "filled": self.filled,
            "contents": self.contents,
        }

    def add(self, kind: str, name: str, counts: FileCounts, filled: Mapping[str, int], content: str) -> None:
        """Add a file."""
        of_kind = self.rows.setdefault(kind, dict.fromkeys(counts._fields, 0))
        for one, number in counts._asdict().items():
            of_kind[one] += number
        self.by_file[name] = counts.rows
        self.filled.setdefault(kind, Counter()).update(filled)
        self.contents[name] = content
