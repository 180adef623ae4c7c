from __future__ import annotations

import pytest

from access import Accounts, Subscription, Subscriptions


class Shop:
    """The processor as the ledger sees it: what each subscription is at this moment."""

    def __init__(self) -> None:
        self.now: dict[str, Subscription] = {}
        self.read = 0

    def put(self, account: str, status: str, name: str = "sub_1", plan: str | None = "pro") -> None:
        self.now[name] = Subscription(name, account, f"cus_of_{name}", status, plan)

    def fetch(self, name: str = "sub_1") -> Subscription:
        self.read += 1
        return self.now[name]


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def subscriptions(store, clock) -> Subscriptions:
    return Subscriptions(store, clock)


@pytest.fixture
def account(accounts: Accounts) -> str:
    return accounts.open("free").account
