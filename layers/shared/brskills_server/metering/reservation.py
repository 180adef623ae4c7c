"""Calls that were counted before the work they are for, and the order to take some of them back."""

from typing import NamedTuple

from brskills_server.accounts.account import Caller
from brskills_server.metering.quota import Quota

__all__ = ["Release", "Reservation"]


class Reservation(NamedTuple):
    """So many calls counted: for whom, and how the month stands with them."""

    caller: Caller
    quota: Quota
    calls: int = 1


class Release(NamedTuple):
    """Calls of a caller's month to take back. A store applies one ``id`` once, however often it is sent.

    ``expires_at``: Unix seconds until which the store remembers the id. ``allowance``: the release is of one
    call, as one of so many absences of the month that are free; ``None``: of any calls.
    """

    id: str
    caller: Caller
    month: str
    calls: int
    expires_at: int
    allowance: int | None = None
