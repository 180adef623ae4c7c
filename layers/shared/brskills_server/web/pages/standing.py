"""What a deployment sets for its pages, and what it gives and promises by it."""

from collections.abc import Mapping
from typing import NamedTuple

from brskills_server.runtime.features import Features

__all__ = ["DEFAULTS", "SiteConfig"]

# What a deployment may set, and its defaults: those of ``brskills_server.runtime.settings``, which is slow to import (a test
# compares the two).
DEFAULTS = {
    "DEMO_API_KEY": "brsk_demo00000000000000000000000000001gbZMd",
    "DEMO_MONTHLY_LIMIT": "20",
    "SIGNUPS_PER_DAY": "5",
    "SIGNUPS_PER_MONTH": "20",
    "PROJECT_URL": "https://github.com/brskills/brskills",
    "SUPPORT_URL": "",
    "PRIVACY_URL": "",
    "TERMS_URL": "",
    "SLA_URL": "",
    "CONTACT_EMAIL": "",
    "STRIPE_PRICE_PRO": "",
    "OPENAI_APPS_CHALLENGE": "",
}


class SiteConfig(NamedTuple):
    """``settings`` by name, each set or its default; ``contacts``: addresses where somebody can be asked."""

    settings: dict[str, str]
    offers: Features
    contacts: list[str]

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "SiteConfig":
        """Read from environment variables. A demo key that cannot be used is empty."""
        settings = {name: environment.get(name, "").strip() or default for name, default in DEFAULTS.items()}
        offers = Features.of(
            *(
                _whole(settings, name)
                for name in ("SIGNUPS_PER_DAY", "SIGNUPS_PER_MONTH", "DEMO_MONTHLY_LIMIT")
            ),
            price=settings["STRIPE_PRICE_PRO"],
            contact_email=settings["CONTACT_EMAIL"],
            support_url=settings["SUPPORT_URL"],
            sla_url=settings["SLA_URL"],
        )
        contacts = [
            *([f"mailto:{settings['CONTACT_EMAIL']}"] if offers.mail else []),
            *([settings["SUPPORT_URL"]] if offers.help_page else []),
        ]
        if not offers.demo:
            settings["DEMO_API_KEY"] = ""
        return cls(settings, offers, contacts)


def _whole(settings: Mapping[str, str], name: str) -> int:
    """As ``brskills_server.runtime.settings_reader`` reads it, with the setting's name where it cannot be read."""
    value = settings[name]
    if not (value.isascii() and value.isdigit()):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    return int(value)
