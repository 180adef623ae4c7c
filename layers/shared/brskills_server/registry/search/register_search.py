"""The port of the search in the register's snapshot."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany

MOST_COUNTED = 10_000


class EditionGone(Exception):
    """The edition of an earlier page is not stored any more."""


class TooMuchWork(Exception):
    """What a search asks for takes too long, however quick and idle the machine is."""


class Page(NamedTuple):
    """Companies of a search in the order of their numbers.

    ``total``: of all pages, exact up to `MOST_COUNTED`, and else that (``is_exact`` is ``False``). ``more``:
    there are companies behind the last.
    """

    edition: Edition
    companies: list[SnapshotCompany]
    total: int
    is_exact: bool
    more: bool


class RegisterSearch(Protocol):
    """A search whose methods block for a few seconds at most, are called from many threads, and may raise
    `TooMuchWork` or ``StoreFault``. A new edition is searched within a minute."""

    def search(self, criteria: Criteria, after: str, limit: int, edition_id: str = "") -> Page | None:
        """Return the first companies behind the number ``after``, which is empty at first, at most ``limit``.

        Companies of which a row could not be read are left out. Return ``None`` without a snapshot, or where
        it has no index. ``edition_id``: the edition of the pages before; raise `EditionGone` if neither the
        current one nor the kept one before is it.
        """

    def near_words(self, words: Sequence[str], limit: int = 5) -> list[str]:
        """Return words of names that are one letter away from those of ``words`` that no name has.

        The most frequent ones first; a word that begins one of a name is one that a name has. Where
        ``words`` are many or long, for the shortest alone (`near.MOST`).
        """
