"""Signatures of events, and the fields that are read."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stripe import WebhookSignature

from brskills_server.accounts.billing import BillingEvent
from brskills_server.accounts.errors import InvalidSignature, NotAnEvent
from brskills_server.adapters.stripe.webhook import read_event, verify
from tests.fakes.stripe_api import SECRET, signed
from tests.for_each import for_each

EVENT = {"id": "evt_1", "type": "invoice.paid", "nome": "São João", "data": {"object": {"id": "in_1"}}}
OLD_SECRET = "whsec_before_the_rotation"


def test_a_signed_event_passes_whichever_secret_signed_it() -> None:
    for secret in (SECRET, OLD_SECRET):
        body, header = signed(EVENT, secret)
        verify(body, header, f"{SECRET}, {OLD_SECRET},")


def test_the_signature_is_what_the_library_itself_would_make() -> None:
    body, _ = signed(EVENT)
    verify(body, WebhookSignature.generate_signature_header(body.decode(), SECRET), SECRET)


def test_during_a_rotation_stripe_signs_twice() -> None:
    at = time.time()
    body, header = signed(EVENT, OLD_SECRET, at)
    verify(body, header + ",v1=" + signed(EVENT, SECRET, at)[1].split("v1=")[1], SECRET)


def test_the_body_counts_as_it_was_sent() -> None:
    body, header = signed(EVENT)
    with pytest.raises(InvalidSignature):
        verify(json.dumps(json.loads(body)).encode(), header, SECRET)


@given(position=st.integers(0), flipped=st.integers(1, 255))
def test_any_changed_byte_is_noticed(position: int, flipped: int) -> None:
    body, header = signed(EVENT)
    changed = bytearray(body)
    changed[position % len(body)] ^= flipped
    with pytest.raises(InvalidSignature):
        verify(bytes(changed), header, SECRET)


@for_each("secrets", ["", ",", " , ", "whsec_of_somebody_else"])
def test_no_secret_lets_nothing_pass(secrets: str) -> None:
    for signed_with in (SECRET, ""):
        body, header = signed(EVENT, signed_with)
        with pytest.raises(InvalidSignature):
            verify(body, header, secrets)


def test_an_old_signature_is_a_replay() -> None:
    # Half a minute on either side of the five, so that a slow machine does not decide.
    for age, passes in ((270, True), (330, False)):
        body, header = signed(EVENT, at=time.time() - age)
        if passes:
            verify(body, header, SECRET)
        else:
            with pytest.raises(InvalidSignature):
                verify(body, header, SECRET)


def test_a_time_put_in_place_of_the_old_one_is_noticed() -> None:
    body, header = signed(EVENT, at=time.time() - 10_000)
    with pytest.raises(InvalidSignature):
        verify(body, f"t={int(time.time())},{header.split(',', 1)[1]}", SECRET)


@given(st.binary(), st.text() | st.from_regex(r"t=\d{1,12},(v1=.*,){0,3}", fullmatch=True))
def test_any_header_and_body_are_rejected(body: bytes, header: str) -> None:
    with pytest.raises(InvalidSignature):
        verify(body, header, SECRET)


@for_each("header", ["", "t=1", "v1=00", "t=é,v1=00", f"t={'9' * 5000},v1=00", "t=1,v1=é"])
def test_hostile_headers(header: str) -> None:
    with pytest.raises(InvalidSignature):
        verify(b"{}", header, SECRET)


def event(kind: str, **about: object) -> bytes:
    return json.dumps({"id": "evt_1", "type": kind, "data": {"object": about}}).encode()


OF_ACCOUNT: dict[str, object] = {"metadata": {"account": "acc_1"}}
OF_INVOICE = {"parent": {"subscription_details": {"subscription": "sub_1", **OF_ACCOUNT}}}
OF_PAGE = {"client_reference_id": "acc_1", "subscription": "sub_1"}
OBJECTS: list[tuple[str, list[str], dict[str, object]]] = [
    ("customer.subscription", ["created", "updated", "deleted", "paused", "resumed"], OF_ACCOUNT),
    ("invoice", ["paid", "payment_failed", "payment_action_required"], OF_INVOICE),
    ("checkout.session", ["completed"], OF_PAGE),
]
PAYMENT_KINDS = ["charge.refunded", "refund.updated", "refund.failed"] + [
    f"charge.dispute.{change}"
    for change in ("created", "updated", "closed", "funds_withdrawn", "funds_reinstated")
]


@for_each(
    ("kind", "about"), [(f"{name}.{one}", about) for name, changes, about in OBJECTS for one in changes]
)
def test_an_event_names_its_subscription_and_account(kind: str, about: dict[str, object]) -> None:
    assert read_event(event(kind, id="sub_1", **about)) == BillingEvent("evt_1", kind, "sub_1", "acc_1")


@for_each("kind", PAYMENT_KINDS)
def test_an_event_of_a_payment_names_the_payment(kind: str) -> None:
    body = event(kind, id="ch_re_or_du", payment_intent="pi_1", status="lost", **OF_ACCOUNT)
    assert read_event(body) == BillingEvent("evt_1", kind, payment="pi_1")


@for_each(
    ("kind", "about"),
    [
        *[("invoice.paid", {"parent": parent}) for parent in (None, {}, {"subscription_details": None})],
        ("checkout.session.completed", {"client_reference_id": None, "subscription": None}),
        ("charge.refunded", {"payment_intent": None}),
        ("charge.refunded", {}),
        *[(kind, {}) for kind in ("customer.created", "invoice.created", "v1.any.thing")],
        ("customer.subscription.trial_will_end", {}),
    ],
)
def test_events_of_nothing_that_was_subscribed_are_ignored(kind: str, about: dict[str, object]) -> None:
    assert read_event(event(kind, id="sub_1", **about)) is None


KINDS = ["invoice.paid", "customer.subscription.updated", "checkout.session.completed", "charge.refunded"]
DEEP = "[" * 100_000 + "]" * 100_000


@for_each("body", ["", "null", "[]", "7", '"x"', "{}", "{", DEEP, "9" * 5000, "NaN", "\ufeff\ufeff{}"])
def test_a_body_that_is_no_event(body: str) -> None:
    with pytest.raises(NotAnEvent):
        read_event(body.encode())


def test_an_event_without_a_name_or_a_kind_is_none() -> None:
    whole = {"id": "evt_1", "type": "invoice.paid", "data": {"object": {}}}
    for member in ("id", "type"):
        for wrong in ("", " ", "a" * 256, "\x00", "\ud800", "São", 7, 10**4000, None, [], {}, True):
            with pytest.raises(NotAnEvent):
                read_event(json.dumps({**whole, member: wrong}).encode())
        with pytest.raises(NotAnEvent):
            read_event(json.dumps({name: each for name, each in whole.items() if name != member}).encode())


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.sampled_from(["sub_1", "evt_1"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from([
                "id", "object", "data", "metadata", "account", "parent", "subscription_details",
                "subscription", "payment_intent", "client_reference_id",
            ]),
            inner,
        )
    ),
    max_leaves=12,
)  # fmt: skip


@given(kind=st.sampled_from(KINDS), data=values, about=values)
def test_any_signed_body_is_an_event_or_ignored(kind: str, data: object, about: object) -> None:
    for content in (data, {"object": about}):
        body = json.dumps({"id": "evt_1", "type": kind, "data": content}).encode()
        try:
            found = read_event(body)
        except NotAnEvent:
            continue
        if found:
            names = [found.subscription, found.account, found.payment]
            assert all(isinstance(name, str) and name.isascii() and name.isprintable() for name in names)
            assert found.subscription or found.payment


@for_each("account", [None, 7, [], {}, "São", "\x00", "\ud800", "a" * 256])
def test_an_invalid_account_is_left_empty(account: object) -> None:
    body = event("customer.subscription.updated", id="sub_1", metadata={"account": account})
    assert read_event(body) == BillingEvent("evt_1", "customer.subscription.updated", "sub_1", "")
