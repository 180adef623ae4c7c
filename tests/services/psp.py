"""A certification authority and PSPs, which sign charges as the Pix API describes."""

from __future__ import annotations

import base64
import hashlib
import json
import warnings
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from joserfc import jws
from joserfc.errors import SecurityWarning
from joserfc.jwk import ECKey, RSAKey

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey
NOW = datetime.now(UTC).replace(microsecond=0)
EV, OV, DV = "2.23.140.1.1", "2.23.140.1.2.2", "2.23.140.1.2.1"
BANCO_DO_BRASIL = "00000000000191"


def name_of(common: str, **others: str) -> x509.Name:
    kinds = {
        "organization": NameOID.ORGANIZATION_NAME,
        "serial": NameOID.SERIAL_NUMBER,
        "jurisdiction": x509.ObjectIdentifier("1.3.6.1.4.1.311.60.2.1.3"),
    }
    attributes = [x509.NameAttribute(NameOID.COMMON_NAME, common)]
    return x509.Name(attributes + [x509.NameAttribute(kinds[kind], value) for kind, value in others.items()])


@dataclass
class Authority:
    """A root or an intermediate authority."""

    certificate: x509.Certificate
    key: PrivateKey

    @classmethod
    def root(cls, name: str = "Raiz de testes") -> Authority:
        key = ec.generate_private_key(ec.SECP256R1())
        return cls(_certificate(name_of(name), key, name_of(name), key, is_authority=True), key)

    def intermediate(self) -> Authority:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = name_of("Intermediária de testes")
        return Authority(
            _certificate(subject, key, self.certificate.subject, self.key, is_authority=True), key
        )

    def issue(self, host: str, key: PrivateKey, **options: Any) -> x509.Certificate:
        """Return a server's certificate; ``options``: ``subject``, ``days``, ``policy``, ``names``."""
        subject = options.pop("subject", None) or name_of(host)
        return _certificate(subject, key, self.certificate.subject, self.key, host=host, **options)


def _certificate(
    subject: x509.Name,
    key: PrivateKey,
    issuer: x509.Name,
    signer: PrivateKey,
    *,
    is_authority: bool = False,
    host: str = "",
    days: tuple[int, int] = (-1, 30),
    policy: str = "",
    others: tuple[x509.GeneralName, ...] = (),
) -> x509.Certificate:
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW + timedelta(days=days[0]))
        .not_valid_after(NOW + timedelta(days=days[1]))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    if is_authority:
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        builder = builder.add_extension(usage, critical=True)
    if host:
        builder = builder.add_extension(
            x509.SubjectAlternativeName([x509.DNSName(host), *others]), critical=False
        ).add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    if policy:
        policies = [x509.PolicyInformation(x509.ObjectIdentifier(policy), None)]
        builder = builder.add_extension(x509.CertificatePolicies(policies), critical=False)
    return builder.sign(signer, hashes.SHA256())


def pem(*parts: x509.Certificate | PrivateKey) -> bytes:
    """Return certificates and keys in PEM."""
    private = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return b"".join(
        part.public_bytes(serialization.Encoding.PEM)
        if isinstance(part, x509.Certificate)
        else part.private_bytes(*private)
        for part in parts
    )


def der(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.DER)


def base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


@dataclass
class Psp:
    """A PSP at ``host``: its key, its certificate and those above it."""

    host: str
    key: PrivateKey
    certificate: x509.Certificate
    above: tuple[x509.Certificate, ...]
    kid: str = "k1"
    jwk_changes: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def at(
        cls, host: str, issuer: Authority, *above: Authority, key: PrivateKey | None = None, **options: Any
    ) -> Psp:
        key = key or ec.generate_private_key(ec.SECP256R1())
        chain = tuple(each.certificate for each in (issuer, *above))
        return cls(host, key, issuer.issue(host, key, **options), chain)

    @property
    def jwk(self) -> dict[str, Any]:
        """The key as published; ``jwk_changes`` replace members, ``None`` removes one."""
        public = self._jose().as_dict(private=False)
        listed = {
            **{name: value for name, value in public.items() if name in {"kty", "n", "e", "crv", "x", "y"}},
            "kid": self.kid,
            "key_ops": ["verify"],
            "x5t": base64url(hashlib.sha1(der(self.certificate)).digest()),  # noqa: S324, RFC 7515 names it
            "x5c": [base64.b64encode(der(each)).decode() for each in (self.certificate, *self.above)],
        }
        return {name: value for name, value in (listed | self.jwk_changes).items() if value is not None}

    def keys(self) -> bytes:
        return json.dumps({"keys": [self.jwk]}).encode()

    def sign(self, payload: dict[str, Any] | bytes, key: Any = None, **changes: Any) -> bytes:
        """Return the JWS of a payload; ``changes`` replace members of the header, ``None`` removes one."""
        is_rsa = isinstance(self.key, rsa.RSAPrivateKey)
        header = {
            "alg": "PS256" if is_rsa else "ES256", "typ": "JWS", "kid": self.kid,
            "jku": f"https://{self.host}/jwks.json", "x5t": self.jwk.get("x5t"),
        } | changes  # fmt: skip
        header = {name: value for name, value in header.items() if value is not None}
        content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        registry = jws.JWSRegistry(algorithms=[header["alg"]], strict_check_header=False)
        registry.max_header_length = 100_000
        registry.header_registry.clear()  # PSPs write what joserfc refuses
        return jws.serialize_compact(header, content, key or self._jose(), registry=registry).encode()

    def _jose(self) -> RSAKey | ECKey:
        kind = RSAKey if isinstance(self.key, rsa.RSAPrivateKey) else ECKey
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)  # tests have weak keys too
            return kind.import_key(pem(self.key))

    def chain_file(self, folder: Path) -> Path:
        """Write what a TLS server needs into one file; return it."""
        file = folder / f"{self.host}.pem"
        file.write_bytes(pem(self.key, self.certificate, *self.above))
        return file


def moment(offset: timedelta = timedelta()) -> str:
    return (NOW + offset).isoformat().replace("+00:00", "Z")


def cob(**changes: Any) -> dict[str, Any]:
    """Return an immediate charge; ``changes`` replace its members."""
    return {
        "calendario": {"criacao": moment(), "apresentacao": moment(), "expiracao": 3600},
        "txid": "fc9a4366ff3d4964b5dbc6c91a8722d3",
        "revisao": 0,
        "status": "ATIVA",
        "valor": {"original": "49.90"},
        "chave": "33000167000101",
        "devedor": {"cpf": "52998224725", "nome": "Devedor Secreto da Silva"},
    } | changes


def cobv(due: str, **changes: Any) -> dict[str, Any]:
    """Return a charge with a due date."""
    return cob(
        calendario={"criacao": moment(), "dataDeVencimento": due, "validadeAposVencimento": 5},
        valor={"original": "100.00", "final": "102.30"},
        recebedor={"cnpj": "33000167000101", "nome": "PETROLEO BRASILEIRO S A PETROBRAS",
                   "nomeFantasia": "PETROBRAS", "logradouro": "Rua Secreta", "cidade": "Rio",
                   "uf": "RJ", "cep": "20031912"},
    ) | changes  # fmt: skip


def rec(**changes: Any) -> dict[str, Any]:
    """Return a recurrence."""
    return {
        "idRec": "RR1234567820240115abcdefghijk",
        "vinculo": {"contrato": "6310", "objeto": "Clube do livro",
                    "devedor": {"cpf": "52998224725", "nome": "Devedor Secreto"}},
        "calendario": {"dataInicial": "2026-12-01", "dataFinal": None, "periodicidade": "MENSAL"},
        "valor": {"valorRec": "35.00"},
        "recebedor": {"cnpj": "33000167000101", "nome": "PETROBRAS", "ispbParticipante": "00000000"},
        "politicaRetentativa": "NAO_PERMITE",
        "atualizacao": [{"status": "APROVADA", "data": "2026-11-20T10:00:00Z"},
                        {"status": "CRIADA", "data": "2026-11-19T10:00:00Z"}],
    } | changes  # fmt: skip
