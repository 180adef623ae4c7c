"""The part of Stripe that the service calls, on a loopback socket: a shop, its pages and its subscriptions.

It keeps pages by idempotency key, customers, subscriptions with their states and ``payments``, rejects
unknown requests with Stripe's messages, and signs events as in https://docs.stripe.com/webhooks/signature
(implemented independently of the service).
"""

import hashlib
import hmac
import itertools
import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from tests.fakes.payments import Payments

API_KEY = "sk_test_of_these_tests"
SECRET = "whsec_of_these_tests"
PRICE = "price_pro"

Reply = tuple[int, dict[str, Any] | str]


class FakeStripe:
    """A shop in a separate thread, until the ``with`` block ends.

    ``base``: its address. ``calls``: method and path of every request. ``faults``: what to do instead
    of the next answers, each a reply or, called, whatever it does (``None`` for the usual answer).
    """

    def __init__(self, port: int = 0) -> None:
        self.subscriptions: dict[str, dict[str, Any]] = {}
        self.payments = Payments(self._new)
        self.pages: dict[str, dict[str, Any]] = {}
        self.customers: set[str] = set()
        self.calls: list[tuple[str, str]] = []
        self.faults: list[Reply | Callable[[], Reply | None]] = []
        self._by_key: dict[str, tuple[bytes, Reply]] = {}
        self._number = itertools.count(1)
        self._lock = threading.RLock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_port}"

    @property
    def settings(self) -> dict[str, str]:
        """The settings that point the service at this shop."""
        return {
            "STRIPE_API_KEY": API_KEY,
            "STRIPE_WEBHOOK_SECRETS": SECRET,
            "STRIPE_PRICE_PRO": PRICE,
            "STRIPE_API_BASE": self.base,
        }

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    # ---- what people do in the shop ----

    def pay(self, url: str, price: str = PRICE) -> tuple[dict[str, Any], dict[str, Any]]:
        """Fill in a page: the subscription that comes of it, and the finished page."""
        with self._lock:
            page = self.pages[url.rsplit("/", 1)[1]]
            customer = page["customer"] or self._new("cus")
            self.customers.add(customer)
            subscription = self.subscribe(page["_account"], customer, price=price)
            page |= {"status": "complete", "customer": customer, "subscription": subscription["id"]}
            return subscription, page

    def subscribe(
        self, account: str | None, customer: str = "cus_0", status: str = "active", price: str = PRICE
    ) -> dict[str, Any]:
        """A new subscription, its first month paid unless the status says that nothing was.

        Without an account it is one that was not made by us.
        """
        item = {"object": "subscription_item", "price": {"id": price}, "current_period_end": 1_800_000_000}
        subscription = {
            "id": self._new("sub"),
            "object": "subscription",
            "customer": customer,
            "status": status,
            "metadata": {"account": account} if account else {},
            "items": {"object": "list", "data": [item], "has_more": False},
            "latest_invoice": None,
        }
        self.subscriptions[subscription["id"]] = subscription
        self.payments.bill(subscription, paid=not status.startswith("incomplete"))
        return subscription

    def event(self, kind: str, about: dict[str, Any]) -> dict[str, Any]:
        """An event with the state of this moment, as it will be delivered at some later one."""
        return {
            "id": self._new("evt"),
            "object": "event",
            "api_version": "2026-10-28.endive",
            "type": kind,
            "data": {"object": json.loads(json.dumps(about))},
        }

    def invoice(self, subscription: dict[str, Any]) -> dict[str, Any]:
        """The latest invoice of a subscription, for the events that carry one."""
        return self.payments.objects[subscription["latest_invoice"]]

    # ---- its API ----

    def answer(self, method: str, path: str, headers: Any, body: bytes) -> Reply:
        """Any request, faults first, then the key, then an idempotency key that was seen before.

        ``body``: the form of a POST, or what a GET asks behind the question mark.
        """
        with self._lock:
            self.calls.append((method, path))
            fault = self.faults.pop(0) if self.faults else None
        if fault is not None:
            reply = fault() if callable(fault) else fault
            if reply is not None:
                return reply
        if headers["Authorization"] != f"Bearer {API_KEY}":
            return _error(401, "invalid_request_error", "Invalid API Key provided: sk_live_****hush")
        once = headers["Idempotency-Key"]
        with self._lock:
            if once in self._by_key:
                before, reply = self._by_key[once]
                return reply if before == body else _error(400, "idempotency_error", "other parameters")
            form = {name: values[-1] for name, values in parse_qs(body.decode()).items()}
            reply = self._route(method, path, form)
            if once:
                self._by_key[once] = (body, reply)
            return reply

    def _route(self, method: str, path: str, form: dict[str, str]) -> Reply:
        if (method, path) == ("POST", "/v1/checkout/sessions"):
            return self._known(form) or (200, self._open_page(form))
        if (method, path) == ("POST", "/v1/billing_portal/sessions"):
            page = {"id": self._new("bps"), "url": f"{self.base}/p/{form['customer']}"}
            return self._known(form) or (200, page)
        name = path.removeprefix("/v1/subscriptions/")
        try:
            if method == "GET" and name in self.subscriptions:
                return 200, self.payments.shown(self.subscriptions[name], form)
            if method == "GET" and path in self.payments.LISTS:
                return 200, self.payments.listed(path, form)
        except ValueError as refused:
            return _error(400, "invalid_request_error", str(refused))
        return _missing(404, f"No such thing: {path}", "id")

    def _known(self, form: dict[str, str]) -> Reply | None:
        if form.get("customer", "") in {"", *self.customers}:
            return None
        return _missing(400, "No such customer", "customer")

    def _open_page(self, form: dict[str, str]) -> dict[str, Any]:
        wanted = {
            "mode": "subscription",
            "line_items[0][price]": PRICE,
            "line_items[0][quantity]": "1",
            "client_reference_id": form["subscription_data[metadata][account]"],
        }
        if not wanted.items() <= form.items():
            raise AssertionError(form)
        name = self._new("cs")
        self.pages[name] = {
            "id": name,
            "object": "checkout.session",
            "url": f"{self.base}/c/{name}",
            "status": "open",
            "mode": "subscription",
            "subscription": None,
            "customer": form.get("customer"),
            "client_reference_id": form["client_reference_id"],
            "success_url": form["success_url"],
            "_account": form["subscription_data[metadata][account]"],
        }
        return dict(self.pages[name])

    def _new(self, prefix: str) -> str:
        return f"{prefix}_{next(self._number)}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        shop = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # an answer is one packet: a second one would wait for the first's receipt

            def do_GET(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                url = urlsplit(self.path)
                asked = self.rfile.read(length) or url.query.encode()
                status, content = shop.answer(self.command, url.path, self.headers, asked)
                body = (content if isinstance(content, str) else json.dumps(content)).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                with suppress(BrokenPipeError):  # the client timed out
                    self.wfile.flush()

            do_POST = do_DELETE = do_GET

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        return Handler


def signature(body: bytes, secret: str = SECRET, at: float | None = None) -> str:
    """Return the header that proves the origin of a body."""
    moment = int(time.time() if at is None else at)
    proof = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={proof},v0=00"


def signed(event: dict[str, Any], secret: str = SECRET, at: float | None = None) -> tuple[bytes, str]:
    """Return an event as it is sent: its body and its signature."""
    body = json.dumps(event, indent=2, ensure_ascii=False).encode()
    return body, signature(body, secret, at)


def _error(status: int, kind: str, message: str, **more: str) -> Reply:
    return status, {"error": {"type": kind, "message": message, **more}}


def _missing(status: int, message: str, param: str) -> Reply:
    return _error(status, "invalid_request_error", message, code="resource_missing", param=param)
