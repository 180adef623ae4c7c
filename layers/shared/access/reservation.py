"""Calls that were counted before the work they are for."""

from typing import NamedTuple

from access.account import Caller
from access.quota import Quota

__all__ = ["Reservation"]


class Reservation(NamedTuple):
    """So many calls counted: for whom, and how the month stands with them."""

    caller: Caller
    quota: Quota
    calls: int = 1
