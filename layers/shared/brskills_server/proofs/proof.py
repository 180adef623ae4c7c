"""A signed answer: a JWS in compact form (RFC 7515), ES256, over claims, request and answer."""

import hashlib
import json
from typing import NamedTuple

from brskills_server.proofs.keys import Jwk

MEDIA_TYPE = "application/jose"


class ProvenRequest(NamedTuple):
    """The request of an answer. ``path``: with the query; ``account``: the caller's."""

    method: str
    path: str
    body: bytes
    id: str
    account: str


def write_proof(answer: str, request: ProvenRequest, issuer: str, key: Jwk, now: float) -> str:
    """Return the proof of a JSON answer, whose text is kept as it is. ``now``: Unix seconds."""
    from joserfc import jws  # imports cryptography, which few calls need
    from joserfc.jwk import ECKey

    asked = {
        "metodo": request.method,
        "caminho": request.path,
        "sha256": hashlib.sha256(request.body).hexdigest(),
    }
    claims = {
        "iss": issuer,
        "iat": int(now),
        "jti": request.id,
        "aud": request.account,
        "pedido": asked,
    }
    text = f'{json.dumps(claims, ensure_ascii=False)[:-1]}, "resposta": {answer}}}'
    header = {"alg": "ES256", "typ": "JWT", "kid": key["kid"]}
    registry = jws.JWSRegistry(algorithms=["ES256"])
    registry.max_payload_length = len(text) * 4
    return jws.serialize_compact(header, text.encode(), ECKey.import_key(key), registry=registry)
