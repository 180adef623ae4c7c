"""A watch of an account on a company, and a change in the account's feed."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

KEPT_SECONDS = 400 * 86_400
"""How long a change stays in a feed: 13 months."""


class Watch(NamedTuple):
    """A watched company. ``reference``: the account's own name for it, or empty; ``since``: Unix seconds."""

    cnpj: str
    reference: str | None
    since: int


class Added(NamedTuple):
    """The outcome for one company. ``watch``: as it is stored, ``None`` where the account has no room."""

    watch: Watch | None
    is_new: bool = False


def outcomes(wanted: Sequence[Watch], known: Mapping[str, Watch], room: int | None) -> list[Added]:
    """Return the outcome for each of distinct companies. ``known``: those that are watched, by number.

    ``room``: for so many others, ``None`` is any number.
    """
    added = []
    for watch in wanted:
        if watch.cnpj in known:
            before = known[watch.cnpj]
            added.append(
                Added(before if watch.reference is None else before._replace(reference=watch.reference))
            )
        elif room is None or room > 0:
            room = None if room is None else room - 1
            added.append(Added(watch, is_new=True))
        else:
            added.append(Added(None))
    return added


class Change(NamedTuple):
    """What a snapshot changed in a watched company, as an account's feed has it.

    ``id``: unique in the account's feed, so that a change is added once whatever is repeated. ``day``: of the
    snapshot, ISO 8601. ``changes``: as in a history, ``{"data_base", "campo", "de", "para"}``.
    """

    id: str
    cnpj: str
    reference: str | None
    day: str
    changes: Sequence[dict[str, Any]]

    def as_answer(self) -> dict[str, Any]:
        """Return the change with its public names."""
        return {
            "id": self.id,
            "cnpj": self.cnpj,
            "referencia": self.reference or None,
            "data_base": self.day,
            "mudancas": list(self.changes),
        }


class Listed(NamedTuple):
    """A change with its place in its account's feed: later ones have higher numbers, from 1 on."""

    place: int
    change: Change


class Announcement(NamedTuple):
    """How far watches were compared with snapshots. Snapshots are named by their ids.

    ``announced``: everything up to it was compared; empty while there is none.
    ``target``: it is being compared with this one, or empty. ``began``: when that began, Unix seconds: later
    watches are left out. ``after``: number and account of the watch that was compared last, empty at the
    beginning. ``version``: grows with each write.
    """

    announced: str
    target: str = ""
    began: int = 0
    after: tuple[str, str] = ("", "")
    version: int = 0
