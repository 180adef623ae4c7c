"""The configuration: environment variables, read once into a frozen object.

A value that cannot be right stops the process at import with its name in the message.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network

from access import DEMO, PLANS
from registry.providers import PROVIDER_IDS

__all__ = ["PUBLISHED_DEMO_KEY", "STORE_FORMS", "VERSION", "Settings", "address"]

VERSION = "1.0.0"
STORE_FORMS = "STORE takes sqlite:///PATH, postgresql://…, dynamodb or memory"
PUBLISHED_DEMO_KEY = "brsk_demo00000000000000000000000000001gbZMd"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a deployment may set; the README lists the variables."""

    store: str
    access_table: str
    companies_table: str
    store_seconds: int
    demo_api_key: str
    demo_monthly_limit: int
    signups_per_day: int
    signups_per_month: int
    company_fresh_seconds: int
    registry_providers: tuple[str, ...]
    registry_urls: Mapping[str, str]
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...]
    project_url: str
    allowed_origins: tuple[str, ...]
    skill_plans: Mapping[str, frozenset[str]]

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read and check the variables; ``ValueError`` names the one that is wrong."""

        def text(name: str, default: str) -> str:
            return environment.get(name, "").strip() or default

        def count(name: str, default: int) -> int:
            value = text(name, str(default))
            if not value.isascii() or not value.isdigit():
                raise ValueError(f"{name} must be a whole number, not {value!r}")
            return int(value)

        signups_per_day = count("SIGNUPS_PER_DAY", 5)
        return cls(
            store=_store(text("STORE", "dynamodb")),
            access_table=text("ACCESS_TABLE", "Access"),
            companies_table=text("COMPANIES_TABLE", "Companies"),
            store_seconds=_at_least_one("STORE_TIMEOUT_SECONDS", count("STORE_TIMEOUT_SECONDS", 1)),
            demo_api_key=text("DEMO_API_KEY", PUBLISHED_DEMO_KEY),
            demo_monthly_limit=count("DEMO_MONTHLY_LIMIT", PLANS["demo"].monthly_limit or 0),
            signups_per_day=signups_per_day,
            # Whoever raises the day's limit alone means the month's to let it through.
            signups_per_month=count("SIGNUPS_PER_MONTH", max(20, signups_per_day)),
            company_fresh_seconds=count("COMPANY_FRESH_SECONDS", 86_400),
            registry_providers=_providers(
                text("REGISTRY_PROVIDERS", "opencnpj,brasilapi,cnpja,cnpjws,receitaws")
            ),
            registry_urls={
                name: address(f"{name.upper()}_URL", url)
                for name in PROVIDER_IDS
                if (url := text(f"{name.upper()}_URL", ""))
            },
            trusted_proxies=_networks(text("TRUSTED_PROXIES", "")),
            project_url=text("PROJECT_URL", "https://github.com/brskills/brskills"),
            allowed_origins=_parts(text("MCP_ALLOWED_ORIGINS", "")),
            skill_plans=_skill_plans(text("SKILL_PLANS", "")),
        )


def _parts(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _store(value: str) -> str:
    name = value.partition(":")[0]
    if not re.fullmatch("[a-z]+", name) or find_spec(f"adapters.{name}") is None:
        raise ValueError(f"{STORE_FORMS}; {name!r} names no store of this installation")
    return value


def _providers(value: str) -> tuple[str, ...]:
    names = _parts(value)
    unknown = sorted(set(names) - set(PROVIDER_IDS))
    if unknown or not names:
        raise ValueError(f"REGISTRY_PROVIDERS takes some of {', '.join(PROVIDER_IDS)}; unknown: {unknown}")
    return names


def _skill_plans(value: str) -> dict[str, frozenset[str]]:
    """``look_up_bank=enterprise+pro,…`` as skill → plans."""
    known = PLANS.keys() - {DEMO}  # the demo key is everybody's: what it may use is not a customer's own
    found: dict[str, frozenset[str]] = {}
    for part in _parts(value):
        skill, _, plans = part.partition("=")
        named = frozenset(plan.strip() for plan in plans.split("+"))
        if skill.strip() in found or not named <= known:
            raise ValueError(
                f"SKILL_PLANS takes each skill once with some of {', '.join(sorted(known))}, as "
                f"look_up_bank=enterprise+pro, not {part!r}"
            )
        found[skill.strip()] = named
    return found


def _at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise ValueError(f"{name} must be at least 1")
    return value


def address(name: str, url: str) -> str:
    """An address as a setting of this name may hold it; ``ValueError`` says what is right."""
    if not re.fullmatch(r"https?://([^\s/?#:\[\]]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[^\s?#]*)?", url):
        raise ValueError(f"{name} takes scheme, host and port, as https://cnpj.example:8443, not {url!r}")
    return url.rstrip("/")


def _networks(value: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(part, strict=False) for part in _parts(value))
    except ValueError as error:
        raise ValueError(f"TRUSTED_PROXIES takes addresses or networks: {error}") from None
