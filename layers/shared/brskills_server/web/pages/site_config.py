"""What a deployment sets for its pages, and the features that follow from it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from brskills_server.runtime.features import Features

# The defaults of ``brskills_server.runtime.settings``, which is slow to import (a test compares the two).
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
    """Settings by name, the features they enable, and the operator's contact addresses (URLs)."""

    settings: dict[str, str]
    features: Features
    contacts: list[str]

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "SiteConfig":
        """Read environment variables. A demo key without calls becomes empty."""
        settings = {name: environment.get(name, "").strip() or default for name, default in DEFAULTS.items()}
        features = Features.of(
            *(
                _whole_number(settings, name)
                for name in ("SIGNUPS_PER_DAY", "SIGNUPS_PER_MONTH", "DEMO_MONTHLY_LIMIT")
            ),
            price=settings["STRIPE_PRICE_PRO"],
            contact_email=settings["CONTACT_EMAIL"],
            support_url=settings["SUPPORT_URL"],
            sla_url=settings["SLA_URL"],
        )
        mail = f"mailto:{settings['CONTACT_EMAIL']}" if features.mail else ""
        if not features.demo:
            settings["DEMO_API_KEY"] = ""
        return cls(settings, features, [contact for contact in (mail, settings["SUPPORT_URL"]) if contact])

    def template_values(self) -> dict[str, Any]:
        """Return settings in lower case and features by name, for templates."""
        return {
            **{name.lower(): value for name, value in self.settings.items()},
            **self.features._asdict(),
            "contact": self.features.contact,
            "contact_url": next(iter(self.contacts), ""),
        }


def _whole_number(settings: Mapping[str, str], name: str) -> int:
    """Return a setting as a number. Raise ``ValueError`` with its name if it is not one."""
    value = settings[name]
    if not (value.isascii() and value.isdigit()):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    return int(value)
