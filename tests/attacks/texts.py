"""Attacks by texts: commands in e-mail addresses, signed bodies that are no events."""

import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.attacks.caller import LOST
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context
from tests.fakes.stripe_api import FakeStripe, signature

ADDRESSES = (
    "a$(touch${IFS}x)@example.com", "a$$(touch$${IFS}x)@example.com", "a`>x`@example.com", "a;>x;@example.com",
    "a&>x&@example.com", "$(shell>x)@example.com", "a'`>x`'@example.com",
)  # fmt: skip
PYTHON = '#!/bin/sh\nprintf "%s\\n" "$@" > arguments\n'
"""In place of the environment's interpreter: it keeps its arguments and runs nothing."""


def shell_addresses(context: Context) -> Iterator[Outcome]:
    """E-mail addresses that contain a command: at sign-up, and on the operator's ``make admin ARGS=…``."""
    with context.serving(SIGNUPS_PER_DAY="100") as target:
        caller = target.caller()

        def is_taken(address: str) -> bool:
            return caller.post("/api/v1/keys", {"email": address}).status == 201

        taken = {address: is_taken(address) for address in ADDRESSES}
        plain = is_taken("dev+x@exemplo.com.br")
    ran = {address: _runs_something(context, address) for address in ADDRESSES}
    outcome = Outcome("shell_addresses", f"{len(ADDRESSES)} addresses that hold a command")
    both = sum(taken[address] and ran[address] for address in ADDRESSES)
    outcome.spent = {
        "taken at sign-up": sum(taken.values()),
        "run by make": sum(ran.values()),
        "both": both,
    }
    outcome.checks = [
        Check("addresses taken that hold a command", sum(taken.values()), most=0),
        Check("commands that ran", sum(ran.values()), most=0),
        Check("a plain address is taken", int(plain), least=1),
    ]
    yield outcome


def _runs_something(context: Context, address: str) -> bool:
    """Return whether ``make admin`` with an address among its arguments runs the command in it."""
    folder = context.new_folder()
    shutil.copy(context.checkout / "Makefile", folder)
    python = folder / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(PYTHON)
    python.chmod(0o755)
    (folder / ".venv/run.stamp").touch()
    before = _files(folder)
    subprocess.run(
        ["make", "-o", ".venv/run.stamp", "admin", f"ARGS=find {address}"],
        cwd=folder,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        timeout=30,
        check=False,
    )
    return bool(_files(folder) - before - {"arguments"})


def _files(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*")}


KIND = "customer.subscription.updated"
EVENTS = (
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
    {"id": "\ud800", "object": "event", "type": KIND},
)
BODIES = (
    *(b"", b"null", b"[]", b"7", b'"text"', b"{}", b"\xff\xfe", b"{", b"NaN", b"[" * 5_000),
    *(json.dumps(event).encode() for event in EVENTS),
)


def billing_garbage(context: Context) -> Iterator[Outcome]:
    """Bodies at the billing webhook with a valid signature that are no events."""
    seen: Counter[int] = Counter()
    with FakeStripe() as stripe, context.serving(**stripe.settings) as target:
        caller = target.caller()
        for body in BODIES:
            proof = signature(body)
            answer = caller.send("POST", "/api/v1/billing/webhook", body, Stripe_Signature=proof)
            seen[answer.status] += 1
    outcome = Outcome("billing_garbage", f"{len(BODIES)} signed bodies that are no events")
    outcome.spent = {"answers": ", ".join(f"{times} × {status}" for status, times in sorted(seen.items()))}
    # A 503 is right where the processor cannot be asked about what a body names.
    outcome.checks = [Check("internal errors, and no answer at all", seen[500] + seen[LOST], most=0)]
    yield outcome
