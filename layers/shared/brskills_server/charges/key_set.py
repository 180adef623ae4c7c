"""The key of a JWS in its PSP's JWK Set: found by ``kid``, compared with its certificate and thumbprints.

Source: BCB Manual de Segurança do Pix §4 as quoted by BCB (bacen/pix-api issue 202): ``x5c`` has the signer's
certificate first. Deviations that lose nothing are remarked, not refused.
"""

import base64
import binascii
import hashlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    SECP384R1,
    SECP521R1,
    EllipticCurvePublicKey,
)
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.utils import CryptographyDeprecationWarning
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import ECKey, RSAKey

from brskills_server.charges.signed_payload import Invalid, SignedPayload, Unreadable, read_object

MOST_CERTIFICATES = 8
_THUMBPRINTS = {"x5t": hashlib.sha1, "x5t#S256": hashlib.sha256}  # RFC 7515 §4.1.7 names SHA-1
_NUMBERS = {"RSA": ("n", "e"), "EC": ("crv", "x", "y")}
_CURVES = (SECP256R1, SECP384R1, SECP521R1)
"""Those of ES256, ES384 and ES512."""
_UNREADABLE = (
    AttributeError,
    TypeError,
    ValueError,  # also binascii.Error
    UnsupportedAlgorithm,
    x509.DuplicateExtension,
    x509.InvalidVersion,
    x509.UnsupportedGeneralNameType,
)
"""What a malformed certificate raises."""


class SigningKey(NamedTuple):
    """The key of a certificate, the other certificates sent with it, and remarks (codes of ``motivos``)."""

    key: RSAKey | ECKey
    certificate: x509.Certificate
    others: tuple[x509.Certificate, ...]
    remarks: tuple[str, ...]


def find_key(body: bytes, signed: SignedPayload) -> SigningKey:
    """Return the key that a JWS names. Raise ``Unreadable`` or ``Invalid``."""
    listed = read_object(body).get("keys")
    if not isinstance(listed, list):
        raise Unreadable("chaves_ilegiveis")
    named = [each for each in listed if isinstance(each, dict) and each.get("kid") == signed.key_id]
    if not named:
        raise Invalid("chave_nao_encontrada")
    if len(named) > 1:
        raise Unreadable("chave_ambigua")
    chain = _certificates(named[0])
    remarks, leaf = dict.fromkeys((*signed.remarks, *_remarks(named[0]["x5c"]))), chain[0]
    _check_thumbprints(signed.header, leaf, remarks)
    _check_thumbprints(named[0], leaf, remarks)
    key = _key_of(leaf)
    _check_numbers(named[0], key)
    others = tuple(each for each in chain[1:] if each.subject != each.issuer)
    if len(others) < len(chain) - 1:
        remarks["raiz_enviada"] = None
    return SigningKey(key, leaf, others, tuple(remarks))


def _remarks(encoded: Sequence[str]) -> Iterator[str]:
    if any(each.split() != [each] for each in encoded):
        yield "quebras_de_linha_em_x5c"


def _certificates(listed: Mapping[str, Any]) -> list[x509.Certificate]:
    encoded = listed.get("x5c")
    if not isinstance(encoded, list) or not 0 < len(encoded) <= MOST_CERTIFICATES:
        raise Unreadable("certificado_ausente")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", CryptographyDeprecationWarning
            )  # odd ones are refused or verified
            found = [_certificate(each) for each in encoded]
            _ = found[0].extensions, found[0].public_key()
    except _UNREADABLE:
        raise Unreadable("certificado_ilegivel") from None
    return found


def _certificate(encoded: str) -> x509.Certificate:
    """Return a certificate, all that is parsed on first use included. Raise ``_UNREADABLE``."""
    der = base64.b64decode("".join(encoded.split()), validate=True)
    found = x509.load_der_x509_certificate(der)
    _ = found.subject, found.issuer, found.not_valid_before_utc, found.not_valid_after_utc
    if not der.endswith(b"\0" + found.signature):
        raise ValueError  # a number of unused bits, which the verifier takes and OpenSSL refuses
    return found


def _key_of(certificate: x509.Certificate) -> RSAKey | ECKey:
    public = certificate.public_key()
    if isinstance(public, EllipticCurvePublicKey) and not isinstance(public.curve, _CURVES):
        raise Unreadable("certificado_ilegivel")
    try:
        pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)  # ``Trust`` refuses short keys
            return (RSAKey if isinstance(public, RSAPublicKey) else ECKey).import_key(pem)
    except (JoseError, ValueError, TypeError):
        raise Unreadable("certificado_ilegivel") from None


def _check_numbers(listed: Mapping[str, Any], key: RSAKey | ECKey) -> None:
    """Raise ``Invalid`` if the JWK itself has another key than its certificate."""
    own = key.as_dict(private=False)
    if listed.get("kty", own["kty"]) != own["kty"]:
        raise Invalid("chave_de_outro_certificado")
    for name in _NUMBERS[str(own["kty"])]:
        stated = listed.get(name)
        if stated is not None and str(stated).rstrip("=") != own[name]:
            raise Invalid("chave_de_outro_certificado")


def _check_thumbprints(stated: Mapping[str, Any], leaf: x509.Certificate, remarks: dict[str, None]) -> None:
    der = leaf.public_bytes(serialization.Encoding.DER)
    for name, digest in _THUMBPRINTS.items():
        if (text := stated.get(name)) is None:
            continue
        found, remark = _read_thumbprint(text)
        if found != digest(der).digest():
            raise Invalid("impressao_digital_diverge")
        if remark:
            remarks[remark] = None


def _read_thumbprint(text: Any) -> tuple[bytes, str]:
    """Return a thumbprint's bytes, and a remark on its form: some PSPs use base64, or encode hexadecimal."""
    if not isinstance(text, str):
        raise Invalid("impressao_digital_diverge")
    plain = text.strip().rstrip("=")
    remark = "" if plain == text and not set("+/") & set(plain) else "x5t_em_base64"
    try:
        found = base64.urlsafe_b64decode(plain.replace("+", "-").replace("/", "_") + "=" * (-len(plain) % 4))
    except (binascii.Error, ValueError):
        raise Invalid("impressao_digital_diverge") from None
    if len(found) in {40, 64}:
        try:
            return bytes.fromhex(found.decode("ascii")), "x5t_em_hexadecimal"
        except ValueError:
            raise Invalid("impressao_digital_diverge") from None
    return found, remark
