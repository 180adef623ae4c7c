"""Calls counted before the work they are for, and orders to release some of them."""

from typing import NamedTuple

from brskills_server.accounts.account import Caller
from brskills_server.metering.quota import Quota


class Reservation(NamedTuple):
    """Counted calls of a caller. ``quota``: the month's, these calls included."""

    caller: Caller
    quota: Quota
    calls: int = 1


class Release(NamedTuple):
    """An order to release calls of a caller's month. A store applies each ``id`` only once.

    ``expires_at``: Unix seconds until which the store keeps the id. ``allowance``: the release is of one
    call, as one of this many free absences of the month; ``None``: of any calls.
    """

    id: str
    caller: Caller
    month: str
    calls: int
    expires_at: int
    allowance: int | None = None
