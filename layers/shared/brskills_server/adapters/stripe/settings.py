"""The settings of Stripe: all of them, or none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class StripeSettings:
    """How a deployment reaches Stripe.

    ``api_key`` and ``webhook_secrets`` (comma-separated) are literals or ``ssm:/name``. The first of
    ``prices`` buys Pro; the others once did, and still count. ``api_base``: empty for Stripe's own.
    """

    api_key: str
    webhook_secrets: str
    prices: tuple[str, ...]
    api_base: str

    @classmethod
    def of(cls, *, api_key: str, webhook_secrets: str, prices: str, api_base: str) -> StripeSettings | None:
        """Return the settings, or ``None`` where there are none. Raise ``ValueError`` if some are missing."""
        listed = tuple(part.strip() for part in prices.split(",") if part.strip())
        required = {
            "STRIPE_API_KEY": api_key,
            "STRIPE_WEBHOOK_SECRETS": webhook_secrets,
            "STRIPE_PRICE_PRO": listed,
        }
        missing = [name for name, value in required.items() if not value]
        if len(missing) == len(required):
            return None
        if missing:  # subscriptions would be sold whose payments are never reported
            raise ValueError(f"Stripe is configured in part, but without {', '.join(missing)}")
        return cls(api_key, webhook_secrets, listed, api_base)
