"""Announcing: what a new snapshot changed in watched companies is added to the feeds of who watches them.

Watches are compared page by page; each page's changes are added before the announcement says how far it went.
So a run that was cut off anywhere is continued by the next one, and what it repeats has the same ids.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any

from brskills_server.registry.snapshot.changes import GONE, NEW
from brskills_server.registry.snapshot.history import RegisterHistory, Step, StepRows, changes_by_day
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.watches.path import Part, find_path
from brskills_server.watches.ports import WatchStore
from brskills_server.watches.watch import KEPT_SECONDS, Announcement, Change, Watch

PAGE = 500


class Announcer:
    """Comparison of watches with the snapshot in place. ``clock``: epoch seconds.

    Any number of processes may run it at once.
    """

    def __init__(
        self,
        store: WatchStore,
        snapshot: RegisterSnapshot,
        history: RegisterHistory,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._snapshot = snapshot
        self._history = history
        self._clock = clock

    def run(self, until: float) -> bool:
        """Compare a page and more, until nothing is left or the moment ``until`` (of ``time.monotonic``).

        Return whether nothing is left for this process: all is announced, or another one is at it. Raise
        ``StoreUnavailable``, ``StoreFault``, and ``ValueError`` where the history is damaged.
        """
        while self._advance():
            if time.monotonic() >= until:
                return False
        return True

    def _advance(self) -> bool:
        """Write the announcement that follows the stored one. Return whether there may be another."""
        edition = self._snapshot.edition()
        known = self._store.read_announcement()
        following = self._following(known, edition)
        if following is None:
            return False
        version = known.version + 1 if known else 1
        return self._store.write_announcement(following._replace(version=version))

    def _following(self, known: Announcement | None, edition: Edition | None) -> Announcement | None:
        if edition is None:
            return Announcement("") if known is None else None
        if known is None:
            return Announcement(edition.id)
        if not known.announced:  # more than one may have been put in place since there was none
            steps = self._history.steps(edition.id)
            return Announcement(steps[-1].since if steps else edition.id)
        if known.target:
            path = find_path(self._history, known.announced, known.target)
            return self._compare(known, path, edition) if path else Announcement(known.announced)
        if known.announced == edition.id:
            return None
        path = find_path(self._history, known.announced, edition.id)
        if path is None:
            return Announcement(edition.id)
        return Announcement(known.announced, edition.id, int(self._clock())) if path else None

    def _compare(self, known: Announcement, path: Sequence[Part], edition: Edition) -> Announcement:
        """Compare the next page of watches, and add what changed to the feeds."""
        page = self._store.watches_of_all(known.after, PAGE)
        if not page:
            return Announcement(known.target)
        changes = list(self._changes(page, path, edition, known))
        if changes:
            now = int(self._clock())
            self._store.add_changes(changes, now, now + KEPT_SECONDS)
        account, last = page[-1]
        return known._replace(after=(last.cnpj, account))

    def _changes(
        self, page: Sequence[tuple[str, Watch]], path: Sequence[Part], edition: Edition, known: Announcement
    ) -> Iterator[tuple[str, Change]]:
        watched = [(account, watch) for account, watch in page if watch.since <= known.began]
        numbers = {watch.cnpj for _, watch in watched}
        rows = self._rows(numbers, path)
        later = self._rows(numbers, find_path(self._history, known.target, edition.id) or ())
        said = {cnpj: self._said(cnpj, rows(cnpj), later(cnpj), edition) for cnpj in numbers}
        for account, watch in watched:
            for step, changes in said[watch.cnpj]:
                name = f"{step.id}-{watch.cnpj}"
                yield account, Change(name, watch.cnpj, watch.reference, step.day.isoformat(), changes)

    def _rows(self, numbers: Collection[str], path: Sequence[Part]) -> Callable[[str], Iterator[StepRows]]:
        """Return a function that returns a company's rows on the way, last ones first."""
        keys = {key for cnpj in numbers for key in (cnpj, cnpj[:8])}
        bodies = [(part, self._history.rows_of(part.step, keys)) for part in path]
        return lambda cnpj: (part.rows(of_step, cnpj) for part, of_step in bodies)

    def _said(
        self, cnpj: str, rows: Iterator[StepRows], later: Iterator[StepRows], edition: Edition
    ) -> list[tuple[Step, list[dict[str, Any]]]]:
        """Return the steps that changed a company, oldest first; none where its rows are damaged.

        ``later``: its rows on the way from there to the snapshot in place.
        """
        with suppress(ValueError):
            found = list(rows)
            # Rows of the company alone may be those of its other establishments.
            if any(row.establishment for row in found) or (
                any(row.company for row in found) and self._was_there(cnpj, later)
            ):
                return [said for said in changes_by_day(edition, found) if said[1]][::-1]
        return []

    def _was_there(self, cnpj: str, later: Iterator[StepRows]) -> bool:
        """Return whether a number was in the register before what ``later`` says, last rows first."""
        marks = [row.establishment for row in later if row.establishment in {NEW, GONE}]
        return marks[-1] == GONE if marks else self._snapshot.find(cnpj) is not None
