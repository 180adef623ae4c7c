"""The configuration: environment variables, read once into a frozen object.

Values that cannot be right stop the process at import, with the name of each in the message. All names
stand in ``brskills_server.runtime.settings_table``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from urllib.parse import urlsplit

from brskills_server.accounts.account import DEMO
from brskills_server.accounts.email_address import is_plain_address
from brskills_server.accounts.plans import PLANS
from brskills_server.registry.providers import MOST_PAID_PER_DAY, PAID_IDS, PROVIDER_IDS, REMOTE_IDS
from brskills_server.runtime.features import Features
from brskills_server.runtime.settings_reader import Reader, quoted

__all__ = ["PUBLISHED_DEMO_KEY", "STORE_FORMS", "VERSION", "Settings", "address", "page"]

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
    registry_tokens: Mapping[str, str] = field(repr=False)
    registry_token_names: Mapping[str, str]
    paid_lookups_per_day: int
    paid_lookup_plans: frozenset[str]
    probe_seconds: int
    registry_copy: str
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...]
    project_url: str
    support_url: str
    privacy_url: str
    terms_url: str
    sla_url: str
    contact_email: str
    price_pro: str
    registry_name: str
    openai_apps_challenge: str
    allowed_origins: tuple[str, ...]
    skill_plans: Mapping[str, frozenset[str]]

    @property
    def features(self) -> Features:
        """What this deployment gives and can vouch for."""
        return Features.of(
            self.signups_per_day,
            self.signups_per_month,
            self.demo_monthly_limit,
            price=self.price_pro,
            contact_email=self.contact_email,
            support_url=self.support_url,
            sla_url=self.sla_url,
        )

    @property
    def support_contact(self) -> str:
        """How to reach whoever operates this, to stand behind a text that names them; empty if unknown."""
        places = ", ".join(place for place in (self.support_url, self.contact_email) if place)
        return f" ({places})" if places else ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read and check the variables; raises ``InvalidSettings``."""
        reader = Reader(environment)
        settings = cls.read(reader)
        reader.finish()
        return settings

    @classmethod
    def read(cls, reader: Reader) -> Settings:
        """The settings; what is wrong is among the reader's faults."""
        text, whole = reader.text, reader.whole
        signups_per_day = whole("SIGNUPS_PER_DAY", 5)
        return cls(
            store=reader.read("STORE", "dynamodb", _store),
            access_table=text("ACCESS_TABLE", "Access"),
            companies_table=text("COMPANIES_TABLE", "Companies"),
            store_seconds=whole("STORE_TIMEOUT_SECONDS", 1, least=1, most=3600),
            demo_api_key=reader.read("DEMO_API_KEY", PUBLISHED_DEMO_KEY, _word),
            demo_monthly_limit=whole("DEMO_MONTHLY_LIMIT", PLANS["demo"].monthly_limit or 0),
            signups_per_day=signups_per_day,
            # Whoever raises the day's limit alone means the month's to let it through.
            signups_per_month=whole("SIGNUPS_PER_MONTH", max(20, signups_per_day)),
            company_fresh_seconds=whole("COMPANY_FRESH_SECONDS", 86_400),
            registry_providers=reader.read(
                "REGISTRY_PROVIDERS", "receita,opencnpj,brasilapi,cnpja,cnpjws,receitaws", _providers
            ),
            registry_urls={
                name: url for name in REMOTE_IDS if (url := reader.read(f"{name.upper()}_URL", "", address))
            },
            registry_tokens={
                name: token for name in PAID_IDS if (token := reader.read(f"{name.upper()}_TOKEN", "", _word))
            },
            registry_token_names={
                name: found for name in PAID_IDS if (found := text(f"{name.upper()}_TOKEN_NAME"))
            },
            paid_lookups_per_day=whole("PAID_LOOKUPS_PER_DAY", 100, most=MOST_PAID_PER_DAY),
            paid_lookup_plans=reader.read("PAID_LOOKUP_PLANS", "pro,enterprise", _paid_plans),
            probe_seconds=whole("PROBE_SECONDS", 0, most=86_400),
            registry_copy=text("REGISTRY_COPY"),
            trusted_proxies=reader.read("TRUSTED_PROXIES", "", _networks),
            project_url=reader.read("PROJECT_URL", "https://github.com/brskills/brskills", page),
            support_url=reader.read("SUPPORT_URL", "", page),
            privacy_url=reader.read("PRIVACY_URL", "", page),
            terms_url=reader.read("TERMS_URL", "", page),
            sla_url=reader.read("SLA_URL", "", page),
            contact_email=reader.read("CONTACT_EMAIL", "", _mail_address),
            price_pro=text("STRIPE_PRICE_PRO"),
            registry_name=reader.read("REGISTRY_NAME", "io.github.brskills/brskills", _registry_name),
            openai_apps_challenge=reader.read("OPENAI_APPS_CHALLENGE", "", _word),
            allowed_origins=reader.read("MCP_ALLOWED_ORIGINS", "", _origins),
            skill_plans=reader.read("SKILL_PLANS", "", _skill_plans),
        )


def _parts(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _store(value: str) -> str:
    name = value.partition(":")[0]
    if name != value and name in {"dynamodb", "memory"}:
        raise ValueError(f"{STORE_FORMS.removeprefix('STORE ')}; nothing stands behind {name}")
    if not re.fullmatch("[a-z]+", name) or find_spec(f"brskills_server.adapters.{name}") is None:
        # The value is not repeated: it may hold a password.
        raise ValueError(f"{STORE_FORMS.removeprefix('STORE ')}; it names no store of this installation")
    return value


def _providers(value: str) -> tuple[str, ...]:
    names = _parts(value)
    unknown = ", ".join(sorted(set(names) - set(PROVIDER_IDS)))
    if unknown or not names:
        raise ValueError(f"takes some of {', '.join(PROVIDER_IDS)}, not {quoted(unknown)}")
    if len({*names}) < len(names):
        raise ValueError("takes each provider once")
    return names


def _word(value: str) -> str:
    if not re.fullmatch("[!-~]*", value):
        raise ValueError("takes visible ASCII characters without blanks")  # the value is not repeated
    return value


def _paid_plans(value: str) -> frozenset[str]:
    known, named = PLANS.keys() - {DEMO}, frozenset(_parts(value))  # the demo key pays for nothing
    if not named or not named <= known:
        unknown = ", ".join(sorted(named - known))
        raise ValueError(f"takes some of {', '.join(sorted(known))}, not {quoted(unknown)}")
    return named


def _skill_plans(value: str) -> dict[str, frozenset[str]]:
    """``look_up_bank=enterprise+pro,…`` as skill → plans."""
    known = PLANS.keys() - {DEMO}  # the demo key is everybody's: what it may use is not a customer's own
    found: dict[str, frozenset[str]] = {}
    for part in _parts(value):
        skill, plans = (side.strip() for side in part.partition("=")[::2])
        named = frozenset(plan.strip() for plan in plans.split("+"))
        if not skill or skill in found or not named <= known:
            raise ValueError(
                f"takes each skill once with some of {', '.join(sorted(known))}, as "
                f"look_up_bank=enterprise+pro, not {quoted(part)}"
            )
        found[skill] = named
    return found


def _origins(value: str) -> tuple[str, ...]:
    origins = _parts(value)
    if not all(re.fullmatch(r"[a-z][a-z0-9+.-]*://[^\s/?#]+", origin) for origin in origins):
        raise ValueError("takes origins as browsers write them, as https://app.example.com")
    return origins


def page(url: str) -> str:
    """The address of a page, as it may stand in a link; ``ValueError`` says what is right. Empty: none."""
    if url and not (re.fullmatch(r"https?://[!#-;=?-~]+", url) and _has_host(url)):
        raise ValueError("takes the address of a page, as https://brskills.example/privacidade")
    return url


def _mail_address(value: str) -> str:
    if value and not is_plain_address(value):
        raise ValueError("takes an e-mail address, as ajuda@brskills.example")
    return value


def _registry_name(value: str) -> str:
    """A name as MCP registries take it: a domain in reverse, and a name below it."""
    label = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
    if len(value) > 200 or not re.fullmatch(
        rf"{label}(\.{label})+/[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", value
    ):
        raise ValueError("takes a domain in reverse and a name, as com.example/brskills")
    return value


def address(url: str) -> str:
    """An address as a setting may hold it; ``ValueError`` says what is right. Empty: none."""
    if url and not (
        re.fullmatch(r"https?://([^\s/?#:\[\]]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[^\s?#]*)?", url)
        and _has_host(url)
    ):
        raise ValueError("takes scheme, host and port, as https://cnpj.example:8443")
    return url.rstrip("/")


def _has_host(url: str) -> bool:
    """Whether there is a host, and no port that cannot be."""
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _networks(value: str) -> tuple[IPv4Network | IPv6Network, ...]:
    found = []
    for part in _parts(value):
        try:
            found.append(ip_network(part, strict=False))
        except ValueError:
            raise ValueError(f"takes addresses or networks, not {quoted(part)}") from None
    return tuple(found)
