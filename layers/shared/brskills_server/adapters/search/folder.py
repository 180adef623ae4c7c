"""The search in the snapshot's folder (``adapters.snapshots.folder``): in the current month's index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from brskills_server.adapters.search.editions import choose
from brskills_server.adapters.search.faults import translate_errors
from brskills_server.adapters.search.finding import find, find_near_words
from brskills_server.adapters.search.search_file import SEARCH_FILE, SearchFile
from brskills_server.adapters.snapshots.folder import FILE, MonthFile, kept_names
from brskills_server.adapters.snapshots.read_only_file import identity_of
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.register_search import Page
from brskills_server.registry.snapshot.rows import SnapshotCompany


class FolderSearch:
    """A ``RegisterSearch`` in a folder (``folder``) that need not exist yet.

    The current month's name is read for each search, which takes some microseconds.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: dict[str, _Month] = {}

    def search(self, criteria: Criteria, after: str, limit: int, edition_id: str = "") -> Page | None:
        """Return the first companies behind ``after``, of ``edition_id`` or the current month."""
        with translate_errors():
            month = self._month(edition_id)
            if month is None:
                return None
            found = find(month.index, criteria, after, limit)
            return found.page(month.edition, month.companies(found.numbers))

    def near_words(self, words: Sequence[str], limit: int = 5) -> list[str]:
        """Return words that are one letter away from those of ``words`` that no name has."""
        with translate_errors():
            month = self._month("")
            return find_near_words(month.index, words, limit) if month else []

    def _month(self, edition_id: str) -> _Month | None:
        """Return the current month, if it has an index, or that of a kept edition. Raise `EditionGone`."""
        return choose([self._open(name) for name in kept_names(self._folder)], edition_id)

    def _open(self, name: str) -> _Month | None:
        """Return a month; ``None`` where it has no index, or that of another."""
        folder = self._folder / name
        try:
            identity = _identity_in(folder)
        except FileNotFoundError:
            return None
        known = self._opened.get(name)
        if known is None or known.identity != identity:
            known = _Month(folder)
            kept = kept_names(self._folder)
            self._opened = {one: month for one, month in self._opened.items() if one in kept} | {name: known}
        return known if known.is_indexed else None


class _Month:
    """A month's index and rows. ``is_indexed``: both are of one build. Raise as ``MonthFile``."""

    def __init__(self, folder: Path) -> None:
        self.identity = _identity_in(folder)
        self.index = SearchFile(folder / SEARCH_FILE)
        self._rows = MonthFile(folder / FILE)
        self.edition = self._rows.edition
        self.is_indexed = self.index.is_readable and self.index.id == self.edition.id

    def companies(self, numbers: Sequence[str]) -> list[SnapshotCompany]:
        """Return the rows of numbers. Raise ``ValueError`` where the month does not have them."""
        keys = {*numbers, *(number[:8] for number in numbers)}
        bodies = self._rows.rows(keys)
        if bodies.keys() != keys:
            raise ValueError("an index of companies that the month does not have")
        return [SnapshotCompany(one, bodies[one], bodies[one[:8]], self.edition) for one in numbers]


def _identity_in(folder: Path) -> tuple[tuple[int, ...], ...]:
    """Return what differs for other files of a month. Raise ``OSError``."""
    return identity_of(folder / SEARCH_FILE), identity_of(folder / FILE)
