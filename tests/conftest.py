"""Fixtures of every suite: loopback only, fake credentials, and a clock that tests set."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.api_key import digest
from brskills_server.accounts.network_hash import Pseudonyms
from brskills_server.accounts.signup import Signups
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.ledger import Ledger
from tests.services.gateway import store as embedded_store
from tests.services.store import in_memory

os.environ |= {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "sa-east-1",
    "POWERTOOLS_LOG_LEVEL": "INFO",
    "CONFIG_FILE": os.devnull,  # no .env of the developer's
}

# A background job of a shell without job control ignores SIGINT, and so would processes that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# CI draws the same examples each time. `make test-all` takes the profile with more of them.
settings.register_profile("default", deadline=None, derandomize="CI" in os.environ, max_examples=20)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=200)
settings.load_profile("default")

NOVEMBER = 1_795_000_000.0  # 2026-11-18 in São Paulo
DEMO_KEY = "a-public-key-of-these-tests"


class Clock:
    """Unix time that advances only by assignment."""

    def __init__(self, now: float = NOVEMBER) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def dynamodb_endpoint() -> Iterator[str]:
    """The address of an embedded DynamoDB that all tests share: create a separate table."""
    with embedded_store() as endpoint:
        yield endpoint


@pytest.fixture
def store() -> AccessStore:
    return in_memory()


@pytest.fixture
def accounts(store, clock) -> Accounts:
    return Accounts(store, digest(DEMO_KEY), clock)


@pytest.fixture
def ledger(store, clock) -> Ledger:
    return Ledger(store, demo_limit=3, clock=clock)


@pytest.fixture
def signups(store, clock) -> Signups:
    return Signups(store, Pseudonyms(store), per_day=2, per_month=5, clock=clock)
