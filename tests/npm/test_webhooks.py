"""Webhooks in Node: the libraries of Python and npm sign the same, and a receiver of ``examples/``."""

from __future__ import annotations

import json
import random
import shutil
import time
from datetime import UTC, datetime
from typing import Any

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from brskills import InvalidWebhook, verify_webhook
from tests.client.deliveries import new_secret
from tests.client.receivers import check_receiver
from tests.npm.conftest import Project
from tests.services.gateway import ROOT

CASES = 1_000
CHANCE = 20_261_127
LETTERS = "aZ09 -_/\\\"'<>{}\x00\n\t\x7féãçÁ\u00a0€\u2028\ufeff\ufffd漢字😀𝕏"


def text(chance: random.Random, length: int) -> str:
    return "".join(chance.choices(LETTERS, k=chance.randint(1, length)))


def case(chance: random.Random, number: int) -> dict[str, Any]:
    """Return a delivery that Python's library signed, and changed ones: in body, id or both."""
    secret = new_secret(24 + number % 41)
    id = f"msg_{chance.getrandbits(64):x}"
    # Every other time is one that a receiver tolerates.
    moment = int(time.time()) + chance.randint(-200, 200) if number % 2 else chance.randrange(2**32)
    event = {
        "type": text(chance, 20),
        "timestamp": "2026-11-27T04:00:00Z",
        "data": {text(chance, 20): text(chance, 999)},
    }
    body = json.dumps(event, ensure_ascii=chance.random() < 0.5)
    place = chance.randrange(len(body))
    changed = [
        {"id": id, "body": f"{body[:place]}{chance.choice('#ñ')}{body[place:]}"},
        {"id": id, "body": body[:place] + body[place + 1 :]},
        {"id": f"{id}0", "body": body},
        {"id": f"{id}.{moment}", "body": body},
    ]
    signature = Webhook(secret).sign(id, datetime.fromtimestamp(moment, UTC), body)
    made = {"secret": secret, "id": id, "time": moment, "body": body}
    return {**made, "signature": signature, "changed": changed}


def decisions(made: dict[str, Any], sent: dict[str, str]) -> list[bool]:
    """Return whether Python's library and the client verify a body under an id."""
    headers = {
        "webhook-id": sent["id"],
        "webhook-timestamp": str(made["time"]),
        "webhook-signature": made["signature"],
    }
    found = []
    for verify in (
        lambda: Webhook(made["secret"]).verify(sent["body"], headers),
        lambda: verify_webhook(made["secret"], headers, sent["body"].encode()),
    ):
        try:
            verify()
            found.append(True)
        except (WebhookVerificationError, InvalidWebhook):
            found.append(False)
    return found


def test_both_libraries_sign_and_verify_the_same(project: Project) -> None:
    chance = random.Random(CHANCE)
    cases = [case(chance, number) for number in range(CASES)]
    answers = json.loads(project.run("node", "signatures.mjs", given=json.dumps(cases)))
    assert len(answers) == CASES
    verified = 0
    for made, answer in zip(cases, answers, strict=True):
        assert answer["signature"] == made["signature"]
        first, *others = answer["decisions"]
        assert first == decisions({**made, "signature": answer["signature"]}, made)
        assert set(first) == {abs(made["time"] - time.time()) < 300}
        assert others == [decisions(made, sent) for sent in made["changed"]] == [[False, False]] * 4
        verified += first[0]
    assert verified == CASES // 2


def test_the_receiver_in_express(project: Project) -> None:
    shutil.copy(ROOT / "examples/webhook_express.mjs", project.folder)
    check_receiver(["node", "webhook_express.mjs"], project.folder, project.environment)
