"""What bringing in a month's files says, while it works and at its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Fetched", "Files", "Progress", "Report", "Tally"]

Files = Mapping[str, tuple[int, str | None]]
"""Name → bytes and entity tag, which is ``None`` where nobody tells one."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is, in bytes: of one file, and of all together.

    ``done`` and ``all_done`` fall where a file must be started anew.
    """

    file: str
    done: int
    size: int
    all_done: int
    all_sizes: int


Report = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A month's 37 files in one folder.

    ``downloaded``: the files are ours, to be deleted after use; a folder that was given is never touched.
    ``notes``: one line for each newer month that is not whole and was passed over.
    """

    folder: Path
    files: Files
    downloaded: bool
    notes: tuple[str, ...] = ()


class Tally:
    """Counts bytes of a month's files. ``sizes``: name → bytes."""

    def __init__(self, sizes: Mapping[str, int], report: Report) -> None:
        self._sizes = sizes
        self._report = report
        self._here = dict.fromkeys(sizes, 0)
        self._most = dict.fromkeys(sizes, 0)

    def count(self, name: str, here: int) -> None:
        """``here`` bytes of a file are there now."""
        self._here[name] = here
        self._most[name] = max(here, self._most[name])
        self._report(
            Progress(name, here, self._sizes[name], sum(self._here.values()), sum(self._sizes.values()))
        )

    def furthest(self) -> int:
        """Bytes of all files together that were ever reached; the same bytes again are not progress."""
        return sum(self._most.values())
