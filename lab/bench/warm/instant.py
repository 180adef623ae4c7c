"""A store that takes no time, for both servers: one account, whose calls are counted in memory.

The account's key is ``BENCH_API_KEY``. It has a limit, so that answers have the month's headers.
"""

import itertools
import os
from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.accounts.api_key import digest
from brskills_server.adapters.stores import Stores
from brskills_server.metering.ports import Counted

_ACCOUNT = Account("acc_0000000000000000", "pro", 10**9, {digest(os.environ["BENCH_API_KEY"]): 0})


class _Access:
    """The part of ``brskills_server.accounts.ports.AccessStore`` that the two endpoints need."""

    def __init__(self) -> None:
        self._calls = itertools.count(1)  # each step of it is one, also among threads

    def account_of_key(self, key: str) -> str | None:
        return _ACCOUNT.id if key in _ACCOUNT.keys else None

    def read_account(self, account: str) -> Account | None:
        return _ACCOUNT if account == _ACCOUNT.id else None

    def reserve_calls(self, *_: Any) -> Counted:
        return Counted(_ACCOUNT.plan, _ACCOUNT.monthly_limit, next(self._calls))

    def count_uncounted(self, *_: Any) -> tuple[str, int]:
        return _ACCOUNT.plan, 1

    def add_to_day(self, *_: Any) -> None:
        pass

    def ping(self) -> None:
        pass


class _Maintenance:
    def prepare(self) -> None:
        pass

    def tidy(self, now: int) -> None:
        pass


def open_stores(_settings: object) -> Stores:
    """The access store; there are no companies."""
    return Stores(_Access(), None, _Maintenance)  # type: ignore[arg-type]
