"""Verification of deliveries by ``verify_webhook``."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from datetime import UTC, date, datetime
from email.message import Message
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.datastructures import Headers
from werkzeug.test import create_environ

from brskills import BrskillsError, ConfigurationError, InvalidWebhook, WebhookEvent, verify_webhook
from tests.client.deliveries import (
    CHANGED,
    NEXT_SECRET,
    OTHER_SECRET,
    SECRET,
    TEST,
    USAGE,
    Delivery,
    new_secret,
    signed,
    wrong,
)
from tests.for_each import for_each


def verify(delivery: Delivery, secret: Any = SECRET) -> WebhookEvent:
    return verify_webhook(secret, delivery.headers, delivery.body)


def reason(delivery: Delivery) -> str:
    """Return why a delivery is refused."""
    try:
        verify(delivery)
    except InvalidWebhook as refusal:
        return str(refusal)
    return ""


def message(headers: dict[str, str]) -> Message:
    made = Message()
    for name, value in headers.items():
        made[name] = value
    return made


@for_each("content", [CHANGED, USAGE, TEST])
def test_an_event_is_returned_as_data(content: dict[str, Any]) -> None:
    event = verify(signed(content, id="msg_7"))
    assert (event.id, event.type, event.data) == ("msg_7", content["type"], content["data"])
    assert (event.timestamp.date(), event.timestamp.tzinfo) == (date(2026, 11, 27), UTC)


def test_an_event_of_a_later_release_is_returned() -> None:
    later = {"type": "key.created", "timestamp": "2027-01-01T00:00:00Z", "data": {"x": [1]}, "more": None}
    assert verify(signed(later)).data == {"x": [1]}


def test_a_change_is_typed_as_in_the_feed() -> None:
    change = verify(signed(CHANGED)).change()
    assert (change.cnpj, change.data_base) == ("SANDBOX1000170", date(2026, 11, 10))
    assert change.mudancas[0].para == "PÃO E SÃO"
    shortened = {**CHANGED, "data": {**CHANGED["data"], "mudancas": [], "mudancas_omitidas": 3}}
    event = verify(signed(shortened))
    assert (event.change().mudancas, event.data["mudancas_omitidas"]) == ((), 3)
    with pytest.raises(InvalidWebhook, match="not the change of a company"):
        verify(signed(TEST)).change()


def test_wrong_ones_are_refused_without_their_content() -> None:
    for title, delivery in wrong():
        text = reason(delivery)
        assert text, title
        assert not any(part in text for part in ("SANDBOX", "whsec_", *delivery.headers.values()) if part)


def test_the_reason_is_said() -> None:
    assert reason(signed(TEST, age=310)) == "Message timestamp too old"
    assert reason(signed(TEST, age=-310)) == "Message timestamp too new"
    assert reason(signed(TEST, OTHER_SECRET)) == "No matching signature found"
    assert reason(signed("{")) == "the body is not an event"
    with pytest.raises(InvalidWebhook, match="webhook-id is missing"):
        verify_webhook(SECRET, {}, b"")
    assert issubclass(InvalidWebhook, BrskillsError)


def test_four_minutes_are_tolerated() -> None:
    for age in (240, -240):
        assert verify(signed(TEST, age=age)).type == "webhook.test"


def test_during_a_rotation_either_secret_verifies() -> None:
    both = signed(TEST, SECRET, NEXT_SECRET)
    for secret in (SECRET, NEXT_SECRET, [OTHER_SECRET, NEXT_SECRET], (SECRET, OTHER_SECRET)):
        assert verify(both, secret).id == "msg_1"
    assert verify(signed(TEST, NEXT_SECRET), iter([SECRET, NEXT_SECRET])).id == "msg_1"
    with pytest.raises(InvalidWebhook):
        verify(signed(TEST, SECRET), [NEXT_SECRET, OTHER_SECRET])


@for_each("noise", ["v1a,AAAA", "v2,a,b", "v1,!!!", "v1", ",", "\t", "v1,é"])
def test_other_signatures_do_not_hide_a_good_one(noise: str) -> None:
    good = signed(TEST)
    headers = {**good.headers, "Webhook-Signature": f"{noise} {good.headers['Webhook-Signature']} {noise}"}
    assert verify(replace(good, headers=headers)).type == "webhook.test"
    with pytest.raises(InvalidWebhook):
        verify(replace(good, headers={**headers, "Webhook-Signature": noise}))


@for_each("change", [str.lower, str.upper, str.title, lambda name: "HTTP_" + name.upper().replace("-", "_")])
def test_names_of_headers_in_any_case(change: Any) -> None:
    good = signed(TEST)
    headers = {change(name): value for name, value in good.headers.items()}
    assert verify_webhook(SECRET, {"x": object(), 1: "y", **headers}, good.body).id == "msg_1"


def test_headers_of_frameworks() -> None:
    good = signed(TEST)
    environ = create_environ(headers=good.headers, data=good.body)
    for headers in (Headers(good.headers), environ, message(good.headers)):
        assert verify_webhook(SECRET, headers, good.body).id == "msg_1"
    assert verify_webhook(SECRET, good.headers, good.body.decode()).id == "msg_1"


def test_a_repeated_header_is_refused() -> None:
    good = signed(TEST)
    for name, value in good.headers.items():
        with pytest.raises(InvalidWebhook, match="repeated"):
            verify_webhook(SECRET, {**good.headers, name.lower(): value}, good.body)


@for_each("written", ["{}.0", " {}", "+{}", "{}e0", "0x{}", "{}_0", "nan", "9" * 12, "١{}"])
def test_a_timestamp_is_digits(written: str) -> None:
    good = signed(TEST)
    headers = {**good.headers, "Webhook-Timestamp": written.format(good.headers["Webhook-Timestamp"])}
    with pytest.raises(InvalidWebhook):
        verify(replace(good, headers=headers))


@for_each(
    "secret",
    ["", "whsec_", "whpk_" + "A" * 32, SECRET[:-16], SECRET.replace("whsec_", ""), "whsec_" + "!" * 40,
     "whsec_" + "A" * 33, [], [SECRET, ""]],
)  # fmt: skip
def test_what_cannot_be_a_secret_is_an_error_of_the_settings(secret: Any) -> None:
    with pytest.raises(ConfigurationError) as refused:
        verify(signed(TEST), secret)
    assert SECRET.removeprefix("whsec_")[:8] not in str(refused.value)


def test_a_secret_from_a_file_has_a_line_end() -> None:
    assert verify(signed(TEST), f"{SECRET}\n").id == "msg_1"


def test_a_body_that_was_read_already_is_a_mistake_of_the_program() -> None:
    parsed: Any = TEST
    with pytest.raises(TypeError, match="as received"):
        verify_webhook(SECRET, signed(TEST).headers, parsed)


def test_deep_and_huge_bodies_end_in_the_same_error() -> None:
    for body in ("[" * 200_000, json.dumps({"type": "a"})[:-1] + ',"n":' + "9" * 5_000 + "}"):
        with pytest.raises(InvalidWebhook):
            verify(signed(body))


@settings(deadline=None)
@given(st.integers(24, 64), st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.data())
def test_any_event_is_verified_and_any_changed_byte_refused(
    size: int, text: str, data: st.DataObject
) -> None:
    secret = new_secret(size)
    content = {"type": text, "timestamp": datetime.now(UTC).isoformat(), "data": {text: text}}
    good = signed(content, secret)
    assert verify(good, secret).data == content["data"]
    place = data.draw(st.integers(0, len(good.body) - 1))
    changed = bytearray(good.body)
    changed[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(InvalidWebhook):
        verify(replace(good, body=bytes(changed)), secret)


@settings(deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_no_other_signature_verifies(guess: bytes) -> None:
    good = signed(TEST)
    signature = f"v1,{base64.b64encode(guess).decode()}"
    with pytest.raises(InvalidWebhook):
        verify(replace(good, headers={**good.headers, "Webhook-Signature": signature}))
