"""Everything of one store to another: for the operator.

The target is read again when all is written: what it then holds is counted, and held against what was sent.
"""

from collections.abc import Mapping
from contextlib import closing

from access import StoreUnavailable
from adapters.upkeep import Sum, Upkeep

__all__ = ["NotEmpty", "move"]


class NotEmpty(Exception):
    """The target holds something already."""


def move(source: Upkeep, target: Upkeep) -> Mapping[str, int]:
    """Copy everything, read it again at the target, and count it by kind; the source stays as it is.

    The source may be in use: what is copied of a database is of one moment, of DynamoDB's tables it is not.
    Raises ``NotEmpty``, or ``StoreUnavailable``: also where the target does not hold what was sent.
    """
    with closing(target.records()) as there:
        if next(there, None) is not None:
            raise NotEmpty
    sent, found = Sum(), Sum()
    with closing(source.records()) as records:
        target.keep(sent.of(records))
    with closing(target.records()) as records:
        for _ in found.of(records):
            pass
    if found != sent:
        raise StoreUnavailable(f"sent {dict(sent.counts)}, and the target holds {dict(found.counts)}")
    return sent.counts
