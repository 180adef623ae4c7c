"""Made-up locations that answer everywhere without network: valid, wrongly signed, expired."""

from datetime import UTC, datetime, timedelta

from brskills_server.charges.certificate import Holder
from brskills_server.charges.charge import Charge, Receiver
from brskills_server.charges.sandbox_locations import (
    EXPIRED_LOCATION,
    SANDBOX_HOST,
    VALID_LOCATION,
    WRONGLY_SIGNED_LOCATION,
)
from brskills_server.charges.verification import INVALID, VALID, Verification

_CNPJ, _NAME = "SANDBOX1000170", "EMPRESA DE EXEMPLO LTDA"


def sandbox_verification(location: str, now: datetime) -> Verification | None:
    """Return the verification of a made-up location; ``None`` for any other."""
    if location == WRONGLY_SIGNED_LOCATION:
        return Verification(INVALID, ("assinatura_errada",), _holder(now))
    if location == VALID_LOCATION:
        return Verification(VALID, (), _holder(now), _charge(now + timedelta(hours=1)))
    if location == EXPIRED_LOCATION:
        return Verification(VALID, (), _holder(now), _charge(datetime(2026, 10, 15, 12, tzinfo=UTC)))
    return None


def _holder(now: datetime) -> Holder:
    valid_until = now.replace(microsecond=0) + timedelta(days=90)
    return Holder(SANDBOX_HOST, "PSP DE EXEMPLO S.A.", None, "AC de exemplo", valid_until, "organizacao")


def _charge(expires_at: datetime) -> Charge:
    receiver = Receiver(_CNPJ, _NAME, None)
    txid = "SANDBOX0000000000000000000001"
    expires_at = expires_at.replace(microsecond=0)
    return Charge("imediata", "ATIVA", txid, "49.90", False, None, expires_at, _CNPJ, receiver, None)
