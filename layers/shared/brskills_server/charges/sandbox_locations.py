"""Addresses of made-up charges, which answer everywhere without network."""

SANDBOX_HOST = "sandbox.brskills.example"
VALID_LOCATION = f"{SANDBOX_HOST}/pix/v2/valida"
WRONGLY_SIGNED_LOCATION = f"{SANDBOX_HOST}/pix/v2/assinatura-errada"
EXPIRED_LOCATION = f"{SANDBOX_HOST}/pix/v2/expirada"
SANDBOX_LOCATIONS = frozenset((VALID_LOCATION, WRONGLY_SIGNED_LOCATION, EXPIRED_LOCATION))
