"""The verification of a signed payload: who signed it, and the charge in it if the signature is valid."""

import warnings
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from joserfc import jws
from joserfc.errors import JoseError, SecurityWarning

from brskills_server.charges.certificate import Holder, holder_of
from brskills_server.charges.charge import Charge, is_as_promised, read_charge
from brskills_server.charges.key_set import SigningKey, find_key
from brskills_server.charges.signed_payload import Invalid, SignedPayload, Unreadable, read_object
from brskills_server.charges.trust import Trust, Untrusted

VALID, INVALID, UNVERIFIED = "valida", "invalida", "nao_verificavel"
STATES = (VALID, UNVERIFIED, INVALID)
"""From the best to the worst."""


class Verification(NamedTuple):
    """What is known of a location. ``reasons``: codes; of a valid signature they are remarks on its form.

    ``holder``: whom a trusted certificate names. ``charge``: only of a valid signature.
    """

    state: str
    reasons: tuple[str, ...]
    holder: Holder | None = None
    charge: Charge | None = None

    def as_answer(self) -> dict[str, Any]:
        """Return ``assinatura`` of an answer."""
        return {
            "estado": self.state,
            "motivos": list(self.reasons),
            "certificado": self.holder and self.holder.as_answer(),
        }


def worst(verifications: Sequence[Verification]) -> Verification:
    """Return the worst of verifications, the first of equals."""
    return max(verifications, key=lambda verification: STATES.index(verification.state))


def check_kind(verification: Verification, location: str, is_recurrence: bool) -> Verification:
    """Return the verification; an invalid one if its payload is of another kind than its location says."""
    if verification.charge is None or is_as_promised(verification.charge, location, is_recurrence):
        return verification
    return Verification(INVALID, ("tipo_diferente_da_localizacao",), verification.holder)


def verify(
    signed: SignedPayload, keys: bytes, host: str, trust: Trust, presented: bytes | None, now: datetime
) -> Verification:
    """Return the verification of a JWS by the JWK Set of its ``jku``.

    ``presented``: the certificate in DER by which the host of the keys was verified in the handshake. A JWK
    with that very certificate needs no intermediates: some PSPs leave them out.
    """
    try:
        found = find_key(keys, signed)
    except Unreadable as error:
        return Verification(UNVERIFIED, (str(error),))
    except Invalid as error:
        return Verification(INVALID, (str(error),))
    try:
        remarks = found.remarks + _check_trust(found, host, trust, presented, now)
    except Untrusted as error:
        return Verification(INVALID, (str(error),))
    holder = holder_of(found.certificate)
    try:
        payload = _payload_of(signed, found)
        return Verification(VALID, remarks, holder, read_charge(read_object(payload)))
    except Invalid as error:
        return Verification(INVALID, (str(error),), holder)
    except Unreadable:
        return Verification(UNVERIFIED, ("conteudo_ilegivel",), holder)


def _check_trust(
    found: SigningKey, host: str, trust: Trust, presented: bytes | None, now: datetime
) -> tuple[str, ...]:
    """Return remarks on the chain. Raise ``Untrusted``."""
    try:
        trust.check(found.certificate, found.others, host, now)
    except Untrusted as error:
        incomplete = str(error) == "cadeia_nao_confiavel" and not found.others
        if not (incomplete and presented and trust.is_same(found.certificate, presented)):
            raise
        return ("intermediarios_ausentes",)
    return ()


def _payload_of(signed: SignedPayload, found: SigningKey) -> bytes:
    registry = jws.JWSRegistry(algorithms=[signed.algorithm], strict_check_header=False)
    registry.header_registry.clear()  # `read_signed_payload` has checked it; joserfc refuses a bare ``jku``
    registry.max_header_length = registry.max_payload_length = len(signed.text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)  # every algorithm of the list is allowed
            return jws.deserialize_compact(signed.text, found.key, registry=registry).payload
    except (JoseError, ValueError, TypeError) as error:
        raise Invalid("assinatura_errada") from error
