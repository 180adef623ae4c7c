"""Verification of signed answers (``Accept: application/jose``), without network if the keys are given."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from brskills.client import Client
from brskills.errors import BrskillsError, ConfigurationError

MOST_CHARACTERS = 10_000_000


class InvalidProof(BrskillsError):
    """A text that none of the keys signed."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A verified proof. ``answer``: as the service gave it; ``body_sha256``: of the request's body."""

    issuer: str
    issued_at: datetime
    request_id: str
    account: str
    method: str
    path: str
    body_sha256: str
    answer: Mapping[str, Any]


def verify_proof(proof: str, keys: Mapping[str, Any] | None = None) -> Proof:
    """Return what a proof holds. ``keys``: a JWK Set.

    Without keys, those of the service that the client is set to are fetched, never of the proof's issuer.
    Raise `InvalidProof`, `ConfigurationError` without joserfc, or any `BrskillsError` of the fetch.
    """
    try:
        from joserfc import jws
        from joserfc.errors import JoseError
        from joserfc.jwk import ECKey
    except ImportError as missing:
        raise ConfigurationError("install joserfc: pip install 'brskills[proof]'") from missing
    if keys is None:
        with Client() as client:
            keys = client.proof_keys()
    if len(proof) > MOST_CHARACTERS:
        raise InvalidProof("it is too long")
    try:
        header = jws.extract_compact(proof.strip().encode("ascii")).headers()
        (key,) = (each for each in keys["keys"] if each["kid"] == header["kid"])
        registry = jws.JWSRegistry(algorithms=["ES256"])
        registry.max_header_length = registry.max_payload_length = MOST_CHARACTERS
        public = ECKey.import_key({name: key[name] for name in ("kty", "crv", "x", "y")})
        found = jws.deserialize_compact(proof.strip(), public, registry=registry)
        return _read(json.loads(found.payload))
    except (JoseError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidProof(f"it is not signed by one of these keys ({type(error).__name__})") from None


def _read(claims: dict[str, Any]) -> Proof:
    request, answer = claims["pedido"], claims["resposta"]
    if not isinstance(answer, dict):
        raise TypeError
    return Proof(
        issuer=_text(claims, "iss"),
        issued_at=datetime.fromtimestamp(claims["iat"], UTC),
        request_id=_text(claims, "jti"),
        account=_text(claims, "aud"),
        method=_text(request, "metodo"),
        path=_text(request, "caminho"),
        body_sha256=_text(request, "sha256"),
        answer=answer,
    )


def _text(members: Mapping[str, Any], name: str) -> str:
    found = members[name]
    if not isinstance(found, str):
        raise TypeError
    return found
