"""The whole gateway in this process, over a store in memory, simulated sources and a fake of Stripe."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

import brskills_server.runtime.services
from brskills_server.accounts.grant import Terms
from brskills_server.skills.catalogue import SCOPES
from tests.conftest import DEMO_KEY
from tests.fakes.stripe_api import API_KEY, PRICE, SECRET, FakeStripe
from tests.limits.companies import RECORDS, record_of
from tests.limits.counting import CountedLog, Operations
from tests.services.sign_in import WEB, challenge_of
from tests.simulator import Simulator
from tests.simulator.paid import TOKENS
from tests.simulator.replies import DENIALS, Reply

__all__ = ["FORM", "VERIFIER", "Answer", "Request", "Service"]

FORM = "application/x-www-form-urlencoded"
VERIFIER = "v" * 43
_ENOUGH = "1000000000"
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Request(NamedTuple):
    """A request; ``path`` with its query. ``body``: bytes, or what is sent as JSON."""

    method: str
    path: str
    headers: Mapping[str, str] = {}
    body: Any = b""

    @property
    def content(self) -> bytes:
        """The body's bytes."""
        return self.body if isinstance(self.body, bytes) else _COMPACT(self.body).encode()


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


class Service:
    """``providers``: the sources. ``key``: of an account that may do everything and has a subscription."""

    def __init__(self) -> None:
        self.providers, self.stripe = Simulator(), FakeStripe()
        self.providers.__enter__()  # both as long as the process
        self.stripe.__enter__()
        os.environ |= {
            "STORE": "memory",
            "REGISTRY_COPY": os.devnull,
            "REGISTRY_PROVIDERS": "opencnpj,brasilapi,minhareceita,cnpja,cnpjws,receitaws",
            **{f"{name.upper()}_URL": url for name, url in self.providers.urls.items()},
            "CNPJA_TOKEN": TOKENS["cnpja"],
            "CNPJWS_TOKEN": TOKENS["cnpjws"],
            "DEMO_API_KEY": DEMO_KEY,
            "SIGNUPS_PER_DAY": _ENOUGH,
            "SIGNUPS_PER_MONTH": _ENOUGH,
            "STRIPE_API_KEY": API_KEY,
            "STRIPE_WEBHOOK_SECRETS": SECRET,
            "STRIPE_PRICE_PRO": PRICE,
            "STRIPE_API_BASE": self.stripe.base,
            "SUPPORT_URL": "https://brskills.example/ajuda",
            "POWERTOOLS_LOG_LEVEL": "INFO",
        }
        self.operations, self.log = Operations(), CountedLog()
        observed = brskills_server.runtime.services.instrumented
        brskills_server.runtime.services.instrumented = lambda store, name: observed(
            self.operations.around(store), name
        )
        printed, sys.stdout = sys.stdout, self.log  # where the functions' loggers find it
        try:
            from brskills_server.gateway.application import Gateway
            from brskills_server.gateway.template import load

            self._gateway = Gateway(load())
        finally:
            sys.stdout = printed
        # A client's document is on a stranger's host, which no test may ask.
        sys.modules["brskills_server.functions.oauth"].documents = _NoDocuments  # type: ignore[attr-defined]
        self.log.take_gateway()
        self._loop = asyncio.new_event_loop()
        self.services = brskills_server.runtime.services.open_services()
        self.key, self.account = self.open_account("enterprise")
        self.client = self.call(Request("POST", "/oauth/register", {}, {"redirect_uris": [WEB]}))
        self.client_id = json.loads(self.client.body)["client_id"]

    def open_account(self, plan: str) -> tuple[str, str]:
        """Return the key and the id of a new account."""
        issued = self.services.accounts.open(plan)
        return issued.api_key, issued.account

    def call(self, request: Request) -> Answer:
        """Answer a request, as over a socket on loopback, and through a proxy with TLS where it says so."""
        return self._loop.run_until_complete(self._call(request))

    async def _call(self, request: Request) -> Answer:
        path, _, query = request.path.partition("?")
        body = request.content
        headers = {
            "Host": "api.example",
            "X-Forwarded-Proto": "https",
            "Content-Type": "application/json",
            **request.headers,
        }
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": request.method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
            "client": ("2001:db8::1", 5),
        }
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self._gateway(scope, receive, send)
        start, end = sent
        named = {name.decode(): value.decode("latin-1") for name, value in start["headers"]}
        return Answer(start["status"], named, end["body"])

    def play(self, how: str) -> None:
        """Have the sources answer by ``large`` or the ``largest`` records, ``deny`` each, or be ``refused``.

        What the process knew of them is forgotten.
        """
        for name in (*self.providers.urls, "cnpja:paid", "cnpjws:paid"):
            self.providers.play(name, _denied if how == "deny" else _refused)
        if how in RECORDS:
            self.providers.play("opencnpj", record_of(RECORDS[how]))
        self.services.__dict__.pop("registry", None)

    def asked(self) -> tuple[int, int]:
        """Return the calls of sources so far, and how many of them were paid ones."""
        names = [name for name, _ in self.providers.calls]
        return len(names), sum(name.endswith(":paid") for name in names)

    def others_seconds(self) -> float:
        """Return the processor time so far of what is not the service's own: the sources."""
        thread = self.providers._thread.ident
        assert thread is not None
        return time.clock_gettime(time.pthread_getcpuclockid(thread))

    def tokens(self) -> dict[str, str]:
        """Return a code, a refresh token and an access token that are good."""
        services = self.services
        caller, _ = services.accounts.identify(self.open_account("free")[0])
        client = services.clients.find(self.client_id)
        assert client
        terms = Terms(client, frozenset(SCOPES), "https://api.example/mcp", WEB, challenge_of(VERIFIER))
        code = services.grants.open(caller, terms)
        found = services.grants.find_code(services.grants.open(caller, terms))
        assert found
        issued = services.grants.redeem(found)
        assert issued
        return {"code": code, "refresh_token": issued.refresh_token, "token": issued.access_token}

    def consent_address(self, **changes: str) -> str:
        """Return the address of the page at which a person allows a client."""
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": WEB,
            "code_challenge": challenge_of(VERIFIER),
            "code_challenge_method": "S256",
            "state": "x" * 2_000,
            "scope": "pix cnpj",
            "resource": "https://api.example/mcp",
            **changes,
        }
        return f"/oauth/authorize?{urlencode(asked)}"


def _denied(provider: str, _number: str) -> Reply:
    status, body = DENIALS[provider]
    return Reply(status, body)


def _refused(_provider: str, _number: str) -> Reply:
    return Reply(200, b"{}")


class _NoDocuments:
    @staticmethod
    def client(_address: str) -> None:
        """No client has one."""
