import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.billing import BillingEvent, Subscription
from brskills_server.accounts.subscriptions import Subscriptions


class Shop:
    """A payment processor with the current state of each subscription."""

    def __init__(self) -> None:
        self.now: dict[str, Subscription] = {}
        self.payments: dict[str, tuple[str, str]] = {}
        self.read = 0
        self.asked_of_payments = 0

    def put(
        self,
        account: str,
        status: str,
        name: str = "sub_1",
        plan: str | None = "pro",
        paid_back: bool = False,
    ) -> None:
        self.now[name] = Subscription(name, account, f"cus_of_{name}", status, plan, paid_back)

    def subscription(self, name: str) -> Subscription:
        self.read += 1
        return self.now[name]

    def subscription_of(self, payment: str) -> tuple[str, str] | None:
        self.asked_of_payments += 1
        return self.payments.get(payment)


def about(event: str, account: str, name: str = "sub_1") -> BillingEvent:
    """Return an event of a subscription."""
    return BillingEvent(event, "customer.subscription.updated", name, account)


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def subscriptions(store, clock) -> Subscriptions:
    return Subscriptions(store, clock)


@pytest.fixture
def account(accounts: Accounts) -> str:
    return accounts.open("free").account
