"""Proofs: whose keys sign, what is signed, and that nothing else passes."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jws
from joserfc.jwk import ECKey, OctKey

from brskills import InvalidProof, verify_proof
from brskills_server.proofs.keys import CACHE_SECONDS, OVERLAP_SECONDS, KeysChanged, ProofKeys
from brskills_server.proofs.proof import ProvenRequest, write_proof
from tests.services.store import in_memory

ISSUER, NOW = "https://api.example", 1_795_000_000
REQUEST = ProvenRequest("POST", "/api/v1/skills/cnpj?a=%C3%A7", b'{"cnpj":"x"}', "req-1", "acc_1")
ANSWER = '{"razao_social":"PADARIA S\u00c3O JO\u00c3O","capital":"1.50"}'


class Clock:
    def __init__(self) -> None:
        self.now = float(NOW)

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def store() -> Any:
    return in_memory()


@pytest.fixture(scope="module")
def keys() -> ProofKeys:
    return ProofKeys(in_memory(), lambda: NOW)


@pytest.fixture(scope="module")
def key_set(keys: ProofKeys) -> dict[str, Any]:
    return {"keys": keys.public_keys()}


@pytest.fixture(scope="module")
def proof(keys: ProofKeys) -> str:
    return write_proof(ANSWER, REQUEST, ISSUER, keys.signing_key(), NOW)


def test_a_proof_holds_request_and_answer(proof: str, key_set: dict[str, Any]) -> None:
    found = verify_proof(proof, key_set)
    assert (found.issuer, found.account, found.request_id) == (ISSUER, "acc_1", "req-1")
    assert (found.method, found.path) == ("POST", "/api/v1/skills/cnpj?a=%C3%A7")
    assert found.body_sha256 == hashlib.sha256(REQUEST.body).hexdigest()
    assert found.answer == json.loads(ANSWER)
    assert int(found.issued_at.timestamp()) == NOW
    payload = base64.urlsafe_b64decode(proof.split(".")[1] + "==").decode()
    assert f'"resposta": {ANSWER}' in payload  # its very text


@given(st.data())
def test_a_changed_proof_is_invalid(proof: str, key_set: dict[str, Any], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(proof) - 1))
    put = data.draw(st.characters(codec="ascii"))
    changed = proof[:at] + put + proof[at + 1 :]
    last = proof.rindex(".") + 1
    if _same(proof, changed, last):
        return
    with pytest.raises(InvalidProof):
        verify_proof(changed, key_set)


def _same(proof: str, changed: str, last: int) -> bool:
    """Return whether only unused bits of the signature's base64 differ, or nothing."""
    if changed.strip() == proof:
        return True
    try:
        decoded = [base64.urlsafe_b64decode(text[last:] + "==") for text in (proof, changed)]
    except ValueError:
        return False
    return proof[:last] == changed[:last] and decoded[0] == decoded[1]


def test_no_other_algorithm_key_or_form_passes(keys: ProofKeys, proof: str, key_set: dict[str, Any]) -> None:
    key = keys.signing_key()
    payload = base64.urlsafe_b64decode(proof.split(".")[1] + "==")
    stranger = ECKey.generate_key("P-256")
    header = {"alg": "ES256", "kid": key["kid"], "typ": "JWT"}
    forged = [
        jws.serialize_compact(header, payload, stranger),
        jws.serialize_compact({**header, "jwk": stranger.as_dict(private=False)}, payload, stranger),
        jws.serialize_compact({**header, "alg": "HS256"}, payload, OctKey.import_key(json.dumps(key_set))),
        jws.serialize_compact({**header, "kid": "other"}, payload, ECKey.import_key(key)),
        jws.serialize_compact({"alg": "ES256"}, payload, ECKey.import_key(key)),
        jws.serialize_compact(header, b"[]", ECKey.import_key(key)),
        jws.serialize_compact(header, b'{"iss": 1}', ECKey.import_key(key)),
        ".".join(("eyJhbGciOiJub25lIn0", proof.split(".")[1], "")),
        "", "a.b.c", "\u00e9", "{}",
    ]  # fmt: skip
    for text in forged:
        with pytest.raises(InvalidProof):
            verify_proof(text, key_set)
    for wrong in ({}, {"keys": []}, {"keys": [{}]}, {"keys": [{"kid": key["kid"]}]}):
        with pytest.raises(InvalidProof):
            verify_proof(proof, wrong)


def test_a_key_is_made_once_and_kept(store: Any) -> None:
    first, second = ProofKeys(store), ProofKeys(store)
    assert first.signing_key() == second.signing_key()
    (public,) = first.public_keys()
    assert public.keys() == {"kty", "crv", "x", "y", "alg", "use", "kid"}


def test_a_new_key_signs_when_everybody_has_read_it_and_former_ones_stay(store: Any) -> None:
    clock = Clock()
    server, operator = ProofKeys(store, clock), ProofKeys(store, clock)
    before = server.signing_key()
    added = operator.add()
    clock.now += CACHE_SECONDS
    assert (server.signing_key(), len(server.public_keys())) == (before, 2)
    clock.now += OVERLAP_SECONDS - CACHE_SECONDS
    assert server.signing_key()["kid"] == added
    proof = write_proof(ANSWER, REQUEST, ISSUER, before, NOW)
    assert verify_proof(proof, {"keys": server.public_keys()}).answer


def test_two_operators_at_once_do_not_lose_a_key(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = ProofKeys(store)
    known = store.proof_keys(b"[]")
    read = store.proof_keys

    def overtaken(proposed: bytes) -> bytes:
        found: bytes = read(proposed)
        store.replace_proof_keys(found, b'[{"kid": "other"}]')
        return found

    monkeypatch.setattr(store, "proof_keys", overtaken)
    with pytest.raises(KeysChanged):
        keys.add()
    assert (known, read(b"")) == (b"[]", b'[{"kid": "other"}]')
