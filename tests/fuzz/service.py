"""The functions of the template over a store in memory, called as API Gateway calls them."""

from __future__ import annotations

import importlib
import json
import os
from typing import Any

from brskills_server.accounts.grant import Terms
from brskills_server.skills.catalogue import SCOPES
from tests.conftest import DEMO_KEY
from tests.fakes.stripe_api import API_KEY, PRICE, SECRET, FakeStripe
from tests.services.sign_in import WEB, Fields, challenge_of
from tests.simulator import Simulator

__all__ = ["ACCOUNT_ROUTES", "HANDLED", "VERIFIER", "Service"]

VERIFIER = "v" * 43
HANDLED = ("keys", "pix", "cnpj", "mcp", "custom", "docs", "status", "oauth", "billing", "site")
ACCOUNT_ROUTES = {"/api/v1/keys/revoke", "/api/v1/keys/rotate"}


class Service:
    """Handlers by their function's name, an account of all that it can use, and a client that it allowed."""

    def __init__(self) -> None:
        self._providers, self._stripe = Simulator(), FakeStripe()
        self._providers.__enter__()  # both as long as the process
        self._stripe.__enter__()
        os.environ |= {
            "STORE": "memory",
            "REGISTRY_COPY": os.devnull,
            "REGISTRY_PROVIDERS": "opencnpj,cnpja",
            **{f"{name.upper()}_URL": url for name, url in self._providers.urls.items()},
            "DEMO_API_KEY": DEMO_KEY,
            "DEMO_MONTHLY_LIMIT": "1000000000",
            "SIGNUPS_PER_DAY": "1000000000",
            "SIGNUPS_PER_MONTH": "1000000000",
            "STRIPE_API_KEY": API_KEY,
            "STRIPE_WEBHOOK_SECRETS": SECRET,
            "STRIPE_PRICE_PRO": PRICE,
            "STRIPE_API_BASE": self._stripe.base,
            "SUPPORT_URL": "https://brskills.example/ajuda",
            "POWERTOOLS_LOG_LEVEL": "CRITICAL",
        }
        self.apps = {
            name: importlib.import_module(f"functions.{name}.app") for name in (*HANDLED, "authorizer")
        }
        self.failure: Exception | None = None
        for app in self.apps.values():
            if hasattr(app.handler, "_report"):
                app.handler._report = self._note
        # Documents of clients lie with strangers, and nobody is asked from here.
        self.apps["oauth"].documents = _NoDocuments
        services = self.apps["oauth"].services
        self.key = self._sign_up()
        services.store.set_limit(services.accounts.identify(self.key)[0].account, 10**12)
        said = json.loads(self._post("oauth", "/oauth/register", {"redirect_uris": [WEB]})["body"])
        self.client_id = said["client_id"]
        page = self.apps["oauth"].handler(self._consent_page(), None)
        self.cookie = page["headers"]["Set-Cookie"].partition(";")[0]
        self.form = Fields(page["body"]).values

    def _note(self, _request: object, error: Exception) -> None:
        self.failure = error

    def _sign_up(self) -> str:
        key: str = json.loads(self._post("keys", "/api/v1/keys", {})["body"])["api_key"]
        return key

    def _post(self, function: str, path: str, content: Any) -> Any:
        context = {"requestId": "r", "identity": {"sourceIp": "192.0.2.1"}}
        event = {"httpMethod": "POST", "resource": path, "path": path, "headers": {"Host": "api.example"}}
        return self.apps[function].handler(
            {**event, "body": json.dumps(content), "requestContext": context}, None
        )

    def _consent_page(self) -> dict[str, Any]:
        return {
            "httpMethod": "GET",
            "resource": "/oauth/authorize",
            "headers": {"Host": "api.example", "X-Forwarded-Proto": "https"},
            "queryStringParameters": self.asked(),
            "requestContext": {"path": "/oauth/authorize"},
        }

    def tokens(self) -> dict[str, str]:
        """A code, a refresh token and an access token that are good, of an account of their own."""
        services = self.apps["oauth"].services
        caller, _ = services.accounts.identify(services.accounts.open("free").api_key)
        client = services.clients.find(self.client_id)
        terms = Terms(client, frozenset(SCOPES), "https://api.example/mcp", WEB, challenge_of(VERIFIER))
        code = services.grants.open(caller, terms)
        issued = services.grants.redeem(services.grants.find_code(services.grants.open(caller, terms)))
        return {"code": code, "refresh_token": issued.refresh_token, "token": issued.access_token}

    def asked(self) -> dict[str, str]:
        """What a client asks to be allowed, all of it right."""
        return {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": WEB,
            "code_challenge": challenge_of(VERIFIER),
            "code_challenge_method": "S256",
            "state": "x",
            "scope": "pix cnpj",
            "resource": "https://api.example/mcp",
        }

    def call(self, function: str, event: dict[str, Any], requires_key: bool) -> Any:
        """The function's answer, or ``None`` where the authorizer does not let the event pass."""
        self.failure = None
        if requires_key:
            if not event["headers"].get("X-API-Key", "").strip():
                return None
            arn = {"methodArn": "arn:aws:execute-api:sa-east-1:123456789012:a/v1/GET/x"}
            decision = self.apps["authorizer"].handler({**event, **arn}, None)
            if decision["policyDocument"]["Statement"][0]["Effect"] != "Allow":
                return None
            event["requestContext"]["authorizer"] = decision["context"]
        return self.apps[function].handler(event, None)


class _NoDocuments:
    @staticmethod
    def client(_address: str) -> None:
        """No client has one."""
