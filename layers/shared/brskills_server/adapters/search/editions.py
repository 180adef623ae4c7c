"""Which of the kept months a search reads."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from brskills_server.registry.search.register_search import EditionGone
from brskills_server.registry.snapshot.rows import Edition


class _OfEdition(Protocol):
    @property
    def edition(self) -> Edition:
        """The month's edition."""


M = TypeVar("M", bound=_OfEdition)


def choose(months: Sequence[M | None], edition_id: str) -> M | None:
    """Return the index of an edition, or of the current month where ``edition_id`` is empty.

    ``months``: the indexes of the kept months, the current one first; ``None`` for a month without one.
    Raise `EditionGone` if none is of the edition although the current month has an index.
    """
    if not edition_id:
        return months[0] if months else None
    for month in months:
        if month and month.edition.id == edition_id:
            return month
    if any(months[:1]):
        raise EditionGone
    return None
