"""How many keys one address, or one e-mail, may have in a day."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from access import month
from access.errors import SignupLimit
from storage import Unmet

if TYPE_CHECKING:
    from collections.abc import Callable

    from access.address import Pseudonyms
    from storage import Table

__all__ = ["Signups"]


class Signups:
    """Daily counters of issued keys, by pseudonym; one write each, refused at the limit."""

    def __init__(
        self, table: Table, pseudonyms: Pseudonyms, per_day: int, clock: Callable[[], float] = time.time
    ) -> None:
        self._table = table
        self._pseudonyms = pseudonyms
        self._per_day = per_day
        self._clock = clock

    def take(self, network: str, email: str | None) -> None:
        """Count one sign-up or raise ``SignupLimit``. An e-mail counts in any case of its letters."""
        now = self._clock()
        self._count(f"address:{network}", now)
        if email is not None:
            self._count(f"email:{email.lower()}", now)

    def _count(self, identifier: str, now: float) -> None:
        ends = int(month.end_of_day(now).timestamp())
        try:
            self._table.update(
                f"SIGNUP#{month.name_of_day(now)}#{self._pseudonyms.of(identifier, now)}",
                UpdateExpression="ADD issued :one SET expires_at = :ends",
                ConditionExpression="issued < :limit OR (attribute_not_exists(issued) AND :limit > :zero)",
                ExpressionAttributeValues={
                    ":one": {"N": "1"},
                    ":zero": {"N": "0"},
                    ":limit": {"N": str(self._per_day)},
                    ":ends": {"N": str(ends)},
                },
            )
        except Unmet:
            raise SignupLimit(max(1, ends - int(now))) from None
