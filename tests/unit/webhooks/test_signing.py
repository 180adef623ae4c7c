"""Signatures verify by the library that receivers use."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook, WebhookVerificationError

from brskills_server.webhooks.signing import signed_headers
from brskills_server.webhooks.webhook import Delivery, Secret

secrets = st.binary(min_size=24, max_size=64).map(lambda key: "whsec_" + base64.b64encode(key).decode())


@given(secrets, st.text(st.characters(exclude_categories=["Cs"])))
def test_a_signature_verifies(secret: str, body: str) -> None:
    delivery = Delivery("msg_1", "webhook.test", body, 0)
    headers = signed_headers([Secret(secret)], delivery, int(time.time()))
    assert headers["Content-Type"] == "application/json"
    Webhook(secret).verify(body, headers, json_parse=False)
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(body + " ", headers, json_parse=False)


def test_each_secret_signs_until_it_ends_the_newest_first() -> None:
    now = int(time.time())
    values = ["whsec_" + base64.b64encode(bytes([n]) * 32).decode() for n in range(3)]
    kept = [Secret(values[0]), Secret(values[1], now + 1), Secret(values[2], now)]
    delivery = Delivery("msg_1", "webhook.test", "{}", 0)
    headers = signed_headers(kept, delivery, now)
    alone = [signed_headers([Secret(value)], delivery, now)["webhook-signature"] for value in values]
    assert headers["webhook-signature"] == " ".join(alone[:2])
    for value in values[:2]:
        Webhook(value).verify("{}", headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(values[2]).verify("{}", headers)
    assert signed_headers(kept, delivery, now + 1)["webhook-signature"].count("v1,") == 1
