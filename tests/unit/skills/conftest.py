from __future__ import annotations

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session


@pytest.fixture
def session(accounts: Accounts, ledger: Ledger) -> Session:
    """A session of a free account."""
    return Session(ledger, accounts.identify(accounts.open("free").api_key)[0])
