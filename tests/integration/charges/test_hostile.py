"""Whatever a PSP signs or lists as keys, a verification results, and only what OpenSSL confirms is valid."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from joserfc.errors import JoseError

from brskills_server.charges.charge import Charge
from brskills_server.charges.trust import Trust
from brskills_server.charges.verification import UNVERIFIED, VALID
from tests.services.confirming import decoded, is_confirmed, result_of
from tests.services.psp import Authority, Psp, cob, cobv, rec

from .conftest import HOST

ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from([
        "", "\ud800", "\x1b[2J", "\u202eabc", "9999-12-31", "9999-12-31T23:59:59Z",
        "0001-01-01T00:00:00+14:00",
        "1e9", "-1", 10**400, 1e308, float("inf"), [], {}, [[]], {"a": None}, ["x"], "00000000000191",
    ]),
)  # fmt: skip
KINDS = {"cob": cob, "cobv": lambda: cobv("2026-12-01"), "rec": rec}


def paths(content: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the places of every member and item."""
    items = (
        content.items()
        if isinstance(content, dict)
        else enumerate(content)
        if isinstance(content, list)
        else ()
    )
    return [place for name, value in items for place in [(*at, name), *paths(value, (*at, name))]]


@st.composite
def changed(draw: st.DrawFn, content: Any) -> Any:
    """Return the content with one to three members replaced or removed."""
    made = json.loads(json.dumps(content))
    for _ in range(draw(st.integers(1, 3))):
        *above, last = draw(st.sampled_from(paths(made) or [("x",)]))
        target = made
        for name in above:
            target = target[name]
        if isinstance(target, dict) and draw(st.booleans()):
            target.pop(last, None)
        else:
            target[last] = draw(ODD)
    return made


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(KINDS)).flatmap(lambda kind: changed(KINDS[kind]())))
def test_any_signed_content_is_read_or_refused(bank: Psp, trust: Trust, content: dict[str, Any]) -> None:
    found = result_of(HOST, bank.sign(json.dumps(content).encode()), bank.keys(), trust)
    assert found.state in {VALID, UNVERIFIED}
    assert isinstance(found.charge, Charge) == (found.state == VALID)
    if found.charge:
        text = json.dumps(found.charge.as_answer(), ensure_ascii=False)
        text.encode()
        assert not set("\x1b\u202e") & set(text)
        assert "Secret" not in text


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes_are_refused(trust: Trust, bank: Psp, body: bytes, keys: bytes) -> None:
    assert result_of(HOST, body, keys, trust).state != VALID
    assert result_of(HOST, bank.sign(cob()), keys, trust).state != VALID


@pytest.fixture(scope="session")
def signers(bank: Psp, issuer: Authority) -> list[Psp]:
    return [bank, Psp.at(HOST, issuer, key=rsa.generate_private_key(65537, 2048))]


@given(st.data())
def test_what_is_valid_openssl_confirms(
    signers: list[Psp], trust: Trust, roots: Path, data: st.DataObject
) -> None:
    psp = data.draw(st.sampled_from(signers))
    header, payload, signature = psp.sign(cob()).split(b".")
    keys = json.loads(psp.keys())
    if data.draw(st.booleans(), label="change the keys"):
        keys = data.draw(changed(keys))
    else:
        head = data.draw(changed(json.loads(decoded(header))))
        again = data.draw(st.booleans(), label="sign again") and _sign(psp, head)
        if again:
            header, _, signature = again.split(b".")
        else:
            header = base64.urlsafe_b64encode(json.dumps(head).encode()).rstrip(b"=")
    body = b".".join((header, payload, signature))
    found = result_of(HOST, body, json.dumps(keys).encode(), trust).state
    event(found)
    if found == VALID:
        assert is_confirmed(body, keys, psp, roots)


@given(st.data())
def test_a_changed_certificate_is_valid_only_if_openssl_confirms(
    signers: list[Psp], trust: Trust, roots: Path, data: st.DataObject
) -> None:
    psp = data.draw(st.sampled_from(signers))
    chain = [bytearray(base64.b64decode(each)) for each in psp.jwk["x5c"]]
    place = data.draw(st.integers(0, len(chain) - 1))
    der = chain[place]
    signature = len(der) - len(x509.load_der_x509_certificate(bytes(der)).signature)
    # Half of the flips around the signature, where the verifier was found to be lenient.
    near = st.integers(signature - 6, signature + 6)
    byte = data.draw(st.one_of(st.integers(0, len(der) - 1), near))
    der[byte] ^= 1 << data.draw(st.integers(0, 7))
    order = data.draw(st.permutations(chain))
    keys = {"keys": [{"kid": psp.kid, "x5c": [base64.b64encode(each).decode() for each in order]}]}
    body = psp.sign(cob(), x5t=None)
    if result_of(HOST, body, json.dumps(keys).encode(), trust).state == VALID:
        assert is_confirmed(body, keys, psp, roots)


def test_unused_bits_of_a_certificates_signature_are_refused(bank: Psp, trust: Trust) -> None:
    for place, each in enumerate(bank.jwk["x5c"]):
        der = bytearray(base64.b64decode(each))
        unused = len(der) - len(x509.load_der_x509_certificate(bytes(der)).signature) - 1
        for bits in range(1, 8):
            der[unused] = bits
            changed = list(bank.jwk["x5c"])
            changed[place] = base64.b64encode(der).decode()
            keys = {"keys": [{"kid": bank.kid, "x5c": changed}]}
            found = result_of(HOST, bank.sign(cob(), x5t=None), json.dumps(keys).encode(), trust)
            assert found[:2] == (UNVERIFIED, ("certificado_ilegivel",))


def _sign(psp: Psp, head: dict[str, Any]) -> bytes | None:
    """Return the JWS with a header, unless joserfc refuses to write it."""
    kinds = ("RS256", "PS256") if isinstance(psp.key, rsa.RSAPrivateKey) else ("ES256",)
    if head.get("alg") not in kinds:
        return None
    try:
        return psp.sign(cob(), **head)
    except (JoseError, ValueError, TypeError):
        return None
