"""The whole gateway in this process: requests, the operations of its store, the calls of its sources."""

import asyncio
import json
import logging
import sys
import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

import brskills_server.runtime.services
from brskills_server.gateway.log import JsonLines
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.runtime.companies import open_companies
from lab.limits.companies import RECORDS, largest_rows, record_of
from lab.limits.counting import CountedLog, Operations
from tests.fakes.register_search import DAY, FakeSearch
from tests.services.in_process import InProcess, NoDocuments
from tests.services.sign_in import WEB
from tests.simulator.paid import TOKENS
from tests.simulator.replies import DENIALS, Reply

FORM = "application/x-www-form-urlencoded"
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Request(NamedTuple):
    """A request; ``path`` with its query. ``body``: bytes, or content to send as JSON."""

    method: str
    path: str
    headers: Mapping[str, str] = {}
    body: Any = b""


class Answer(NamedTuple):
    """An answer of the gateway."""

    status: int
    headers: dict[str, str]
    body: bytes


class Service(InProcess):
    """``key``: of an account of the plan enterprise."""

    def __init__(self) -> None:
        super().__init__(
            REGISTRY_PROVIDERS="opencnpj,brasilapi,minhareceita,cnpja,cnpjws,receitaws",
            CNPJA_TOKEN=TOKENS["cnpja"],
            CNPJWS_TOKEN=TOKENS["cnpjws"],
            POWERTOOLS_LOG_LEVEL="INFO",
        )
        self.operations, self.log = Operations(), CountedLog()
        observed = brskills_server.runtime.services.instrumented
        brskills_server.runtime.services.instrumented = lambda store, name: observed(
            self.operations.around(store), name
        )
        printed, sys.stdout = sys.stdout, self.log  # where the functions' loggers find it
        try:
            from brskills_server.gateway.application import Gateway
            from brskills_server.gateway.template import load

            self._gateway = Gateway(load(), is_proxy=lambda _: True)
        finally:
            sys.stdout = printed
        # The time of an engine, which is limited, is not in the figures.
        open_companies(self.services).search = FakeSearch(largest_rows(), Edition(DAY, id="a" * 32))
        sys.modules["brskills_server.functions.oauth"].documents = NoDocuments  # type: ignore[attr-defined]
        handler = logging.StreamHandler(self.log)
        handler.setFormatter(JsonLines())
        logging.getLogger().addHandler(handler)
        logging.getLogger("gateway").setLevel(logging.INFO)
        self._loop = asyncio.new_event_loop()
        self.key = self.open_account("enterprise")
        registered = self.call(Request("POST", "/oauth/register", {}, {"redirect_uris": [WEB]}))
        self.client_id = json.loads(registered.body)["client_id"]

    def call(self, request: Request) -> Answer:
        """Answer a request, as one through a proxy with TLS."""
        return self._loop.run_until_complete(self._call(request))

    async def _call(self, request: Request) -> Answer:
        path, _, query = request.path.partition("?")
        body = request.body if isinstance(request.body, bytes) else _COMPACT(request.body).encode()
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
        """Let the sources reply with ``large`` or ``largest`` records, ``deny`` each, or be ``refused``.

        The process forgets what it knew of them.
        """
        for name in (*self.providers.urls, "cnpja:paid", "cnpjws:paid"):
            self.providers.play(name, _denied if how == "deny" else _refused)
        if how in RECORDS:
            self.providers.play("opencnpj", record_of(RECORDS[how]))
        self.services.__dict__.pop("registry", None)

    def asked(self) -> tuple[int, int]:
        """Return the calls of sources so far, and how many of them were paid."""
        names = [name for name, _ in self.providers.calls]
        return len(names), sum(name.endswith(":paid") for name in names)

    def others_seconds(self) -> float:
        """Return the processor time of the simulated sources so far."""
        thread = self.providers._thread.ident
        assert thread is not None
        return time.clock_gettime(time.pthread_getcpuclockid(thread))

    def consent_address(self, **changes: str) -> str:
        """Return the address of the page of consent, with a long state."""
        return f"/oauth/authorize?{urlencode(self.consent_query(state='x' * 2_000, **changes))}"


def _denied(provider: str, _number: str) -> Reply:
    return Reply(*DENIALS[provider])


def _refused(_provider: str, _number: str) -> Reply:
    return Reply(200, b"{}")
