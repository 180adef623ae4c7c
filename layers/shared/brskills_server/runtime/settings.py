"""The settings that functions, gateway and tools share: environment variables, read once and frozen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from brskills_server.accounts.plans import PLANS
from brskills_server.adapters.stripe.settings import StripeSettings
from brskills_server.registry.providers import MOST_PAID_PER_DAY, PAID_IDS, REMOTE_IDS
from brskills_server.runtime import setting_types as types
from brskills_server.runtime.features import Features
from brskills_server.runtime.setting import setting
from brskills_server.runtime.settings_reader import Reader

VERSION = "1.2.0"
PUBLISHED_DEMO_KEY = "brsk_demo00000000000000000000000000001gbZMd"

_PROVIDER_ADDRESS = "provider's scheme, host and port"
_PAID_ADDRESS = "turns on a [paid address](docs/operate/register.md), called only with `idade_dados_maxima`"
_BILLING = "[billing](docs/operate/billing.md): without it `/billing` answers 503"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of a deployment. A field is the variable of the same name in upper case unless named."""

    store: str = setting(
        "dynamodb",
        types.store_address,
        "[where data is stored](docs/operate/stores.md); also `postgresql://…` and `memory`",
        documented_default="`sqlite:///data/brskills.db` locally, `dynamodb` on AWS",
        is_secret=True,
    )
    store_seconds: int = setting(
        1,
        types.whole(1, 3600),
        "how long an operation on the store may take before the answer is 503",
        name="STORE_TIMEOUT_SECONDS",
        documented_default="5 locally, 1 with DynamoDB",
    )
    access_table: str = setting("Access", str, "DynamoDB table of accounts")
    watches_table: str = setting("Watches", str, "DynamoDB table of watches and feeds")
    companies_table: str = setting("Companies", str, "DynamoDB table of companies")
    registry_providers: tuple[str, ...] = setting(
        "receita,opencnpj,brasilapi,cnpja,cnpjws,receitaws",
        types.provider_ids,
        "registry providers in order of preference; also `minhareceita`",
    )
    registry_copy: str = setting(
        "",
        str,
        "folder of the [register snapshot](docs/operate/register.md), which the provider `receita` reads; "
        "`store`: it is in the store",
        documented_default="`data/receita` locally, none on AWS",
    )
    opencnpj_url: str = setting("", types.server_address, _PROVIDER_ADDRESS)
    brasilapi_url: str = setting("", types.server_address, _PROVIDER_ADDRESS)
    minhareceita_url: str = setting("", types.server_address, _PROVIDER_ADDRESS)
    cnpja_url: str = setting("", types.server_address, _PROVIDER_ADDRESS)
    cnpjws_url: str = setting("", types.server_address, _PROVIDER_ADDRESS)
    receitaws_url: str = setting("", types.server_address, _PROVIDER_ADDRESS)
    cnpja_token: str = setting("", types.word, _PAID_ADDRESS, is_secret=True, is_read_late=True)
    cnpjws_token: str = setting("", types.word, _PAID_ADDRESS, is_secret=True, is_read_late=True)
    paid_lookups_per_day: int = setting(
        100,
        types.whole(0, MOST_PAID_PER_DAY),
        "calls of paid addresses a day (in Brasília) of all instances together; one account gets a tenth",
    )
    paid_lookup_plans: frozenset[str] = setting(
        "pro,enterprise", types.paid_plans, "plans whose accounts may use paid addresses"
    )
    company_fresh_seconds: int = setting(86_400, types.whole(), "how long a stored company is served")
    pix_ca_file: str = setting(
        "", types.certificate_file, "roots in PEM by which PSPs are trusted beside the system's"
    )
    pix_connect_to: Mapping[str, tuple[str, int]] = setting(
        "",
        types.destinations,
        "where to connect instead of a PSP's host, as `host:443:10.0.0.1:8443`, comma-separated",
    )
    webhook_allow_loopback: str = setting(
        "0",
        types.choice("0", "1"),
        "`1` allows webhooks on this machine, also by http and on any port: for tests",
    )
    demo_api_key: str = setting(
        PUBLISHED_DEMO_KEY,
        types.word,
        "the public demo key",
        documented_default="that of the guides",
        is_secret=True,
    )
    demo_monthly_limit: int = setting(
        PLANS["demo"].monthly_limit or 0,
        types.whole(),
        "calls a month of each address with the demo key; 0: not accepted",
    )
    signups_per_day: int = setting(
        5,
        types.whole(),
        "keys for one address, or one e-mail, in a day; 0: [sign-up is disabled](docs/operate/on-premise.md)",
    )
    signups_per_month: int = setting(
        20, types.whole(), "the same in thirty days; if not set, at least `SIGNUPS_PER_DAY`"
    )
    trusted_proxies: tuple[types.Network, ...] = setting(
        "", types.networks, "addresses or networks of proxies whose `X-Forwarded-For` is trusted"
    )
    allowed_origins: tuple[str, ...] = setting(
        "", types.origins, "web pages that may call `/mcp` from a browser", name="MCP_ALLOWED_ORIGINS"
    )
    skill_plans: Mapping[str, frozenset[str]] = setting(
        "",
        types.skill_plans,
        "plans with a [custom skill](docs/operate/custom-skills.md), as `look_up_bank=enterprise+pro`",
    )
    project_url: str = setting(
        "https://github.com/brskills/brskills",
        types.page_address,
        "in the User-Agent sent to providers, and in documents for programs",
        documented_default="this project",
    )
    support_url: str = setting("", types.page_address, "your support page")
    privacy_url: str = setting("", types.page_address, "your privacy policy")
    terms_url: str = setting("", types.page_address, "your terms of use")
    sla_url: str = setting(
        "",
        types.page_address,
        "your service level agreement; without it no plan mentions one",
    )
    contact_email: str = setting(
        "",
        types.email_address,
        "your support address; without it and `SUPPORT_URL` no plan has support",
    )
    operator_name: str = setting("", str, "who runs this service, at the foot of its pages")
    pro_price_brl: int = setting(
        0, types.whole(), "Pro's price in reais, shown beside the one in dollars; 0: it is not shown"
    )
    registry_name: str = setting(
        "io.github.brskills/brskills", types.registry_name, "name of the MCP server in registries"
    )
    openai_apps_challenge: str = setting(
        "", types.word, "token at `/.well-known/openai-apps-challenge`, by which ChatGPT verifies the domain"
    )
    stripe_api_key: str = setting("", str, _BILLING, is_secret=True, is_read_late=True)
    stripe_webhook_secrets: str = setting("", str, _BILLING, is_secret=True, is_read_late=True)
    price_pro: str = setting(
        "", str, "Stripe's id of the price of Pro; after a comma, older ones", name="STRIPE_PRICE_PRO"
    )
    stripe_api_base: str = setting("", types.server_address, "another address of Stripe's API, for tests")

    @property
    def registry_urls(self) -> dict[str, str]:
        """Configured addresses of providers, by provider."""
        return {name: url for name in REMOTE_IDS if (url := getattr(self, f"{name}_url"))}

    @property
    def registry_tokens(self) -> dict[str, str]:
        """Tokens of paid addresses, by provider: literals or ``ssm:/name``."""
        return {name: token for name in PAID_IDS if (token := getattr(self, f"{name}_token"))}

    @property
    def features(self) -> Features:
        """The features of this deployment."""
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
        """How to reach the operator, in parentheses, to follow a noun; empty if unknown."""
        places = ", ".join(place for place in (self.support_url, self.contact_email) if place)
        return f" ({places})" if places else ""

    @property
    def stripe(self) -> StripeSettings | None:
        """Stripe's settings, or ``None`` without any. Raise ``ValueError`` if some are missing."""
        return StripeSettings.of(
            api_key=self.stripe_api_key,
            webhook_secrets=self.stripe_webhook_secrets,
            prices=self.price_pro,
            api_base=self.stripe_api_base,
        )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read and check the variables. Raise `InvalidSettings` with every invalid one."""
        reader = Reader(dict(environment))
        settings = cls.read(reader)
        reader.finish()
        return settings

    @classmethod
    def read(cls, reader: Reader) -> Settings:
        """Read the variables; the reader collects the issues."""
        values = reader.read_all(cls)
        if not reader.environment.get("SIGNUPS_PER_MONTH", "").strip():
            # A higher limit of the day alone would have no effect.
            values["signups_per_month"] = max(values["signups_per_month"], values["signups_per_day"])
        return cls(**values)
