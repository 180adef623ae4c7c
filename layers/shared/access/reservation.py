"""Calls that were counted before the work they are for."""

from dataclasses import dataclass

from access.account import Caller
from access.quota import Quota

__all__ = ["Reservation"]


@dataclass(frozen=True, slots=True)
class Reservation:
    """So many calls counted: for whom, and how the month stands with them."""

    caller: Caller
    quota: Quota
    calls: int = 1
