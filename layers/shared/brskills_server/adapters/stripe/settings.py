"""How this deployment reaches Stripe: all of it, or not at all.

STRIPE_API_KEY_NAME          name of the API key in the Parameter Store; or STRIPE_API_KEY itself
STRIPE_WEBHOOK_SECRETS_NAME  name of the signing secrets there; or STRIPE_WEBHOOK_SECRETS themselves
STRIPE_PRICE_PRO             the price that buys Pro; after a comma, older prices that still do
STRIPE_RETURN_URL            where Stripe sends people back to; the caller knows the default
STRIPE_API_BASE              another address than Stripe's own, for tests
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["StripeSettings"]


@dataclass(frozen=True, slots=True, repr=False)
class StripeSettings:
    """Each secret stands either in ``…_name`` or in the plain field; the plain one goes first."""

    api_key: str
    api_key_name: str
    webhook_secrets: str
    webhook_secrets_name: str
    prices: tuple[str, ...]
    return_url: str
    api_base: str

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str], default_return_url: str
    ) -> StripeSettings | None:
        """The settings, or ``None`` where there are none; ``ValueError`` names what is missing of them."""

        def text(name: str) -> str:
            return environment.get(name, "").strip()

        settings = cls(
            api_key=text("STRIPE_API_KEY"),
            api_key_name=text("STRIPE_API_KEY_NAME"),
            webhook_secrets=text("STRIPE_WEBHOOK_SECRETS"),
            webhook_secrets_name=text("STRIPE_WEBHOOK_SECRETS_NAME"),
            prices=tuple(part.strip() for part in text("STRIPE_PRICE_PRO").split(",") if part.strip()),
            return_url=text("STRIPE_RETURN_URL") or default_return_url,
            api_base=text("STRIPE_API_BASE"),
        )
        needed = {
            "STRIPE_API_KEY_NAME": settings.api_key or settings.api_key_name,
            "STRIPE_WEBHOOK_SECRETS_NAME": settings.webhook_secrets or settings.webhook_secrets_name,
            "STRIPE_PRICE_PRO": settings.prices,
        }
        missing = [name for name, value in needed.items() if not value]
        if len(missing) == len(needed):
            return None
        if missing:  # selling without being told of payments would be worse than not selling
            raise ValueError(f"Stripe is configured in part, but without {', '.join(missing)}")
        return settings
