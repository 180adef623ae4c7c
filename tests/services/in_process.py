"""The service in this process: a store in memory, simulated providers and a fake of Stripe."""

import os
from typing import Any

from brskills_server.accounts.grant import Terms
from brskills_server.runtime.services import Services, open_services
from brskills_server.skills.catalogue import SCOPES
from tests.conftest import DEMO_KEY
from tests.fakes.stripe_api import FakeStripe
from tests.services.sign_in import WEB, challenge_of, consent_query
from tests.simulator import Simulator

VERIFIER = "v" * 43
MANY = "1000000000"
RESOURCE = "https://api.example/mcp"


class InProcess:
    """``providers`` and ``stripe`` run as long as the process. ``client_id``: a client to sign in."""

    client_id: str

    def __init__(self, **settings: str) -> None:
        self.providers, self.stripe = Simulator().__enter__(), FakeStripe().__enter__()
        os.environ |= {
            "STORE": "memory",
            "REGISTRY_COPY": os.devnull,
            "DEMO_API_KEY": DEMO_KEY,
            "SIGNUPS_PER_DAY": MANY,
            "SIGNUPS_PER_MONTH": MANY,
            "SUPPORT_URL": "https://brskills.example/ajuda",
            **self.providers.settings,
            **self.stripe.settings,
            **settings,
        }

    @property
    def services(self) -> Services:
        return open_services()

    def open_account(self, plan: str) -> str:
        """Return the key of a new account."""
        return self.services.accounts.open(plan).api_key

    def tokens(self) -> dict[str, str]:
        """Return a valid code, refresh token and access token of a new account."""
        return issue_tokens(self.services, self.client_id, self.open_account("free"))

    def consent_query(self, **changes: str) -> dict[str, str]:
        """Return the parameters with which the client requests consent."""
        own = {"client_id": self.client_id, "state": "x", "scope": "pix cnpj", "resource": RESOURCE}
        return consent_query(VERIFIER, **(own | changes))


def issue_tokens(
    services: Services, client_id: str, api_key: str, resource: str = RESOURCE
) -> dict[str, str]:
    """Return a valid code, refresh token and access token of an account for a registered client."""
    caller, _ = services.accounts.identify(api_key)
    client: Any = services.clients.find(client_id)
    terms = Terms(client, frozenset(SCOPES), resource, WEB, challenge_of(VERIFIER))
    code = services.grants.open(caller, terms)
    redeemed: Any = services.grants.find_code(services.grants.open(caller, terms))
    issued: Any = services.grants.redeem(redeemed)
    return {"code": code, "refresh_token": issued.refresh_token, "token": issued.access_token}


class NoDocuments:
    """In place of the documents of clients, which are on hosts that no test may call."""

    @staticmethod
    def client(_address: str) -> None:
        """No client has one."""
