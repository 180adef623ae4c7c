"""Whether a certificate leads to a trusted root, by the verifier of ``cryptography``.

It builds the path itself, whatever the order of the certificates sent, needs a SAN and follows no address in
a certificate. Extensions are those of the CA/Browser Forum; an authority key identifier may be missing.
"""

import ssl
import warnings
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import certifi
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.utils import CryptographyDeprecationWarning
from cryptography.x509.verification import (
    Criticality,
    ExtensionPolicy,
    PolicyBuilder,
    Store,
    VerificationError,
)

MIN_RSA_BITS = 2048
"""The verifier takes shorter keys in a certificate that issues none."""

_LEAF = ExtensionPolicy.webpki_defaults_ee().may_be_present(
    x509.AuthorityKeyIdentifier, Criticality.AGNOSTIC, None
)


def root_files(file: str) -> list[str]:
    """Return the files in PEM of certifi's roots, of the system's, and of those that an operator adds."""
    return [place for place in (certifi.where(), ssl.get_default_verify_paths().cafile, file) if place]


class Untrusted(Exception):
    """A certificate that is not trusted; the message is a code of ``motivos``."""


class Trust:
    """The roots of certifi and of the system, and those of a file in PEM (``PIX_CA_FILE``)."""

    def __init__(self, file: str = "") -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CryptographyDeprecationWarning)  # old roots with serial number 0
            self._store = Store(
                [
                    root
                    for place in root_files(file)
                    for root in x509.load_pem_x509_certificates(Path(place).read_bytes())
                ]
            )

    def check(
        self, leaf: x509.Certificate, others: Sequence[x509.Certificate], host: str, now: datetime
    ) -> None:
        """Raise ``Untrusted`` unless ``leaf`` is in date, names ``host`` and leads to a root."""
        if not leaf.not_valid_before_utc <= now <= leaf.not_valid_after_utc:
            raise Untrusted("certificado_fora_da_validade")
        if not _is_strong(leaf):
            raise Untrusted("chave_fraca")
        builder = PolicyBuilder().store(self._store).time(now)
        builder = builder.extension_policies(ca_policy=ExtensionPolicy.webpki_defaults_ca(), ee_policy=_LEAF)
        try:
            builder.build_server_verifier(x509.DNSName(host)).verify(leaf, list(others))
        except VerificationError as error:
            named = "subjectAltName" not in str(error)
            raise Untrusted("cadeia_nao_confiavel" if named else "certificado_de_outro_endereco") from error

    @staticmethod
    def is_same(certificate: x509.Certificate, der: bytes) -> bool:
        """Return whether a certificate is the one in DER."""
        return certificate.public_bytes(serialization.Encoding.DER) == der


def _is_strong(certificate: x509.Certificate) -> bool:
    key = certificate.public_key()
    if isinstance(key, RSAPublicKey):
        return key.key_size >= MIN_RSA_BITS
    return isinstance(key, EllipticCurvePublicKey)
