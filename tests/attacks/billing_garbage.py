"""Events at the billing webhook that are rightly signed and are no events."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections import Counter
from collections.abc import Iterator

from tests.attacks.caller import LOST
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context
from tests.fakes.stripe_api import API_KEY, PRICE, SECRET, FakeStripe

KIND = "customer.subscription.updated"
BODIES = (
    b"",
    b"null",
    b"[]",
    b"7",
    b'"text"',
    b"{}",
    b"\xff\xfe",
    b"{",
    b"NaN",
    b"[" * 5_000,
    *(
        json.dumps(content).encode()
        for content in (
            {"id": 7, "type": 7},
            {"id": "evt_1"},
            {"id": "evt_1", "type": KIND},
            {"id": "evt_2", "type": KIND, "data": None},
            {"id": "evt_3", "type": KIND, "data": []},
            {"id": "evt_4", "type": KIND, "data": {"object": 7}},
            {"id": "evt_5", "type": KIND, "data": {"object": {}}},
            {"id": "evt_6", "type": KIND, "data": {"object": {"id": 7, "metadata": 7}}},
            {"id": "evt_7", "type": KIND, "data": {"object": {"id": "sub_1", "metadata": {"account": 7}}}},
            {"id": "evt_8", "object": "event", "type": ["a"], "data": {"object": {"object": "subscription"}}},
            {"id": None, "object": "event", "type": "charge.refunded", "data": {"object": {"id": []}}},
            {"id": "x" * 5_000, "object": "event", "type": KIND, "data": {"object": {"id": "sub_1"}}},
        )
    ),
    json.dumps({"id": "\ud800", "object": "event", "type": KIND}).encode(),
)


def attack(context: Context) -> Iterator[Outcome]:
    seen: Counter[int] = Counter()
    with FakeStripe() as stripe:
        settings = {
            "STRIPE_API_KEY": API_KEY,
            "STRIPE_WEBHOOK_SECRETS": SECRET,
            "STRIPE_PRICE_PRO": PRICE,
            "STRIPE_API_BASE": stripe.base,
        }
        with context.serving(**settings) as target:
            caller = target.caller()
            for body in BODIES:
                answer = caller.send(
                    "POST", "/api/v1/billing/webhook", body, Stripe_Signature=_signature(body)
                )
                seen[answer.status] += 1
    outcome = Outcome("billing_garbage", f"{len(BODIES)} signed bodies that are no events")
    outcome.spent = {"answers": ", ".join(f"{times} × {status}" for status, times in sorted(seen.items()))}
    # A 503 is right where the processor cannot be asked about what a body names.
    outcome.checks = [Check("internal errors, and no answer at all", seen[500] + seen[LOST], most=0)]
    yield outcome


def _signature(body: bytes) -> str:
    moment = int(time.time())
    proof = hmac.new(SECRET.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={proof}"
