"""What the rows of a table ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from brskills.answers import Batch
from brskills.calls import Call
from brskills.errors import ProblemError
from brskills.lote.journal import Answer


@dataclass(frozen=True, slots=True)
class Item:
    """The request of a row.

    ``key``: equal for equal requests; ``None`` if the row is invalid. ``remark``: a repair or an error, in
    the user's language.
    """

    key: str | None
    remark: str = ""


class Kind(Protocol):
    """A kind of request.

    ``suffix``: of the output's name; ``invalid``: the result of an invalid row; ``columns``: those that the
    output adds; ``parameters``: those that decide the answers; ``subject``: what is read of a row, in words.
    """

    suffix: str
    invalid: str
    columns: tuple[str, ...]
    parameters: Mapping[str, Any]
    subject: str

    def item(self, row: Sequence[str]) -> Item:
        """Return the request of a row."""

    def call(self, keys: Sequence[str], idempotency_key: str) -> Call[Batch[Any]]:
        """Return the call for these items, answered as far as the quota allows."""

    def answer(self, outcome: Any) -> Answer:
        """Return the answer to an item: its result and cells."""

    def own_cells(self, key: str) -> Mapping[str, str]:
        """Return the cells of an item that need no answer."""


def refused(problem: ProblemError) -> Answer:
    """Return the answer for an item that the service refuses."""
    fields = [f"{each.field}: {each.detail}" for each in getattr(problem, "errors", ())]
    return Answer("recusada", {"observacao": "; ".join(fields) or problem.detail})
