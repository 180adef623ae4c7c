"""Verifications of what a PSP sent, and OpenSSL's independent view of those that are valid."""

from __future__ import annotations

import base64
import json
import ssl
import tempfile
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from brskills_server.charges.signed_payload import Invalid, Unreadable, read_signed_payload
from brskills_server.charges.trust import Trust
from brskills_server.charges.verification import INVALID, UNVERIFIED, Verification, verify
from tests.services.psp import NOW, Psp, pem


def result_of(host: str, body: bytes, keys: bytes, trust: Trust) -> Verification:
    """Return the verification, as ``Follower`` does after it has fetched both."""
    try:
        signed = read_signed_payload(body, host)
    except Invalid as error:
        return Verification(INVALID, (str(error),))
    except Unreadable as error:
        return Verification(UNVERIFIED, (str(error),))
    return verify(signed, keys, host, trust, None, NOW)


def decoded(text: bytes) -> bytes:
    return base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))


def is_confirmed(body: bytes, keys: dict[str, Any], psp: Psp, roots: Path) -> bool:
    """Return whether OpenSSL verifies chain and signature of a JWS that was called valid."""
    signed, _, last = body.strip().rpartition(b".")
    header = json.loads(decoded(signed.split(b".")[0]))
    dicts = (each for each in keys["keys"] if isinstance(each, dict))
    (listed,) = (each for each in dicts if each.get("kid") == header["kid"])
    chain = [
        x509.load_der_x509_certificate(base64.b64decode("".join(each.split()))) for each in listed["x5c"]
    ]
    key, signature = chain[0].public_key(), decoded(last)
    digest = {"256": hashes.SHA256(), "384": hashes.SHA384(), "512": hashes.SHA512()}[header["alg"][2:]]
    try:
        _shake_hands(psp.host, pem(psp.key, *chain), roots)
        if isinstance(key, ec.EllipticCurvePublicKey):
            half = len(signature) // 2
            numbers = (int.from_bytes(part, "big") for part in (signature[:half], signature[half:]))
            key.verify(encode_dss_signature(*numbers), signed, ec.ECDSA(digest))
        else:
            assert isinstance(key, rsa.RSAPublicKey)
            pss = padding.PSS(padding.MGF1(digest), padding.PSS.DIGEST_LENGTH)
            kind = pss if header["alg"].startswith("PS") else padding.PKCS1v15()
            key.verify(signature, signed, kind, digest)
    except (ssl.SSLError, InvalidSignature):
        return False
    return True


def _shake_hands(host: str, chain: bytes, roots: Path) -> None:
    """Complete a handshake in memory with a server of this key and chain. Raise ``ssl.SSLError``."""
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile() as file:
        file.write(chain)
        file.flush()
        serving.load_cert_chain(file.name)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = serving.wrap_bio(there, back, server_side=True)
    client = ssl.create_default_context(cafile=str(roots)).wrap_bio(back, there, server_hostname=host)
    sides = [client, server]
    while sides:
        side = sides.pop(0)
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            sides.append(side)
