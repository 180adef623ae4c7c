"""Every setting: its name, its default, what it does. The README's table is this one, held by a test."""

from typing import NamedTuple

__all__ = ["SECRETS", "SETTINGS", "Row"]


class Row(NamedTuple):
    """A line of the table: settings that belong together. A secret may also be given as ``NAME_FILE``."""

    names: tuple[str, ...]
    default: str
    text: str
    secret: bool = False


SETTINGS = (
    Row(
        ("CONFIG_FILE",),
        "none",
        "a file of `NAME=VALUE` lines with any of these; the environment wins over it",
    ),
    Row(
        ("PORT", "HOST", "WORKERS"),
        "8000, 127.0.0.1, one a core, at most 8",
        "gateway only; a worker is a process with 32 threads for each function",
    ),
    Row(
        ("METRICS_PORT", "METRICS_HOST"),
        "none, 127.0.0.1",
        "gateway only: figures for Prometheus, off without a port",
    ),
    Row(("LOG_FORMAT",), "`text`", "gateway only: `json` writes an object a line"),
    Row(
        ("DRAIN_SECONDS",),
        "0",
        "gateway only: how long SIGTERM leaves it answering, but no longer healthy, before it stops",
    ),
    Row(
        ("STORE",),
        "`sqlite:///data/brskills.db` locally, `dynamodb` on AWS",
        "[where everything is kept](docs/stores.md); also `postgresql://…` and `memory`",
        secret=True,
    ),
    Row(
        ("STORE_TIMEOUT_SECONDS",), "5 locally, 1 with DynamoDB", "then 503; a write in doubt is not repeated"
    ),
    Row(
        ("AWS_ENDPOINT_URL_DYNAMODB", "CREATE_TABLES"),
        "AWS, 0",
        "DynamoDB at another address; `CREATE_TABLES=1` makes its tables",
    ),
    Row(("ACCESS_TABLE", "COMPANIES_TABLE"), "`Access`, `Companies`", "DynamoDB's tables"),
    Row(
        ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"),
        "as botocore finds them; made up for a store of one's own",
        "where DynamoDB is",
    ),
    Row(
        ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"),
        "as botocore finds them; made up for a store of one's own",
        "who asks DynamoDB",
        secret=True,
    ),
    Row(
        ("REGISTRY_PROVIDERS",),
        "`receita,opencnpj,brasilapi,cnpja,cnpjws,receitaws`",
        "order is preference; also `minhareceita`",
    ),
    Row(
        ("REGISTRY_COPY",),
        "`data/receita` locally, none on AWS",
        "the folder with [our own copy of the register](docs/register.md), which `receita` reads; "
        "`store`: it is in the store",
    ),
    Row(
        ("REGISTRY_FOLDER", "REGISTRY_TABLES", "REGISTRY_BUCKET"),
        "`data/receita`, none, none",
        "`make copy` only, where the copy is in the store: where months are built; "
        "[in DynamoDB](docs/register-aws.md) what its tables are called and where their files are kept",
    ),
    Row(
        ("OPENCNPJ_URL", "BRASILAPI_URL", "MINHARECEITA_URL", "CNPJA_URL", "CNPJWS_URL", "RECEITAWS_URL"),
        "public ones",
        "scheme, host and port",
    ),
    Row(
        ("CNPJA_TOKEN", "CNPJWS_TOKEN"),
        "none",
        "[paid addresses](docs/registry.md#paid-addresses), asked only where `idade_dados_maxima` is given",
        secret=True,
    ),
    Row(
        ("CNPJA_TOKEN_NAME", "CNPJWS_TOKEN_NAME"),
        "none",
        "the same, as names in AWS's Parameter Store",
    ),
    Row(
        ("PAID_LOOKUPS_PER_DAY",),
        "100",
        "the most calls a day (of Brasília) of both paid addresses and all instances together, of which one "
        "account may have a tenth; 0: none",
    ),
    Row(
        ("PAID_LOOKUP_PLANS",),
        "`pro,enterprise`",
        "the plans for whose accounts paid addresses are asked",
    ),
    Row(
        ("PROBE_SECONDS",),
        "0: never",
        "gateway only: how often providers that nobody has asked lately are asked for one well-known "
        "company, as [evidence for the status](docs/status.md#probes); on AWS the parameter `ProbeMinutes`",
    ),
    Row(("COMPANY_FRESH_SECONDS",), "86400", "how long a stored answer serves"),
    Row(("DEMO_API_KEY",), "the key above", "the public key", secret=True),
    Row(
        ("DEMO_MONTHLY_LIMIT",),
        "20",
        "calls a month of each address with the public key; 0: [it is not a key](docs/keys.md#closed)",
    ),
    Row(
        ("SIGNUPS_PER_DAY", "SIGNUPS_PER_MONTH"),
        "5, 20",
        "keys for one address, or one e-mail, in a day and in thirty; the second is at least the first where "
        "it is not set; 0: [the operator alone gives keys](docs/keys.md#closed)",
    ),
    Row(("TRUSTED_PROXIES",), "none", "addresses or networks whose `X-Forwarded-For` is believed"),
    Row(("MCP_ALLOWED_ORIGINS",), "none", "web pages that may reach `/mcp` from a browser"),
    Row(
        ("SKILL_PLANS",),
        "none",
        "plans whose accounts may all use a [custom skill](docs/custom-skills.md), as "
        "`look_up_bank=enterprise+pro`",
    ),
    Row(
        ("PROJECT_URL",),
        "this project",
        "in the User-Agent sent to providers, and where documents for programs send readers on to",
    ),
    Row(
        ("SUPPORT_URL", "PRIVACY_URL", "TERMS_URL"),
        "none",
        "pages of yours, shown to people and told to programs "
        "([what directories ask for](docs/agents.md#to-be-listed-in-a-directory))",
    ),
    Row(
        ("CONTACT_EMAIL",),
        "none",
        "an address that people may write to, shown to them; e-mail support and getting an account back "
        "[are told of](docs/promises.md) only where it, or `SUPPORT_URL`, is set",
    ),
    Row(
        ("SLA_URL",),
        "none",
        "a page of yours with what you promise on availability; without it "
        "[no plan tells of any](docs/promises.md)",
    ),
    Row(
        ("REGISTRY_NAME",),
        "`io.github.brskills/brskills`",
        "what the MCP server is called in registries: below a domain or an account of yours",
    ),
    Row(
        ("OPENAI_APPS_CHALLENGE",),
        "none",
        "the word by which ChatGPT's directory sees that the domain is yours, "
        "at `/.well-known/openai-apps-challenge`",
    ),
    Row(
        ("POWERTOOLS_LOG_LEVEL",),
        "`WARNING` locally, `INFO` on AWS",
        "`INFO` logs a line a call and a line an event of Stripe's, as JSON, with nothing of the caller",
    ),
    Row(
        ("STRIPE_API_KEY", "STRIPE_WEBHOOK_SECRETS"),
        "none",
        "[billing](docs/billing.md); without them `/billing` answers 503 and the rest works",
        secret=True,
    ),
    Row(
        (
            "STRIPE_API_KEY_NAME",
            "STRIPE_WEBHOOK_SECRETS_NAME",
            "STRIPE_PRICE_PRO",
            "STRIPE_RETURN_URL",
            "STRIPE_API_BASE",
        ),
        "none",
        "the same, in AWS's Parameter Store; what is sold; addresses",
    ),
)

SECRETS = frozenset(name for row in SETTINGS if row.secret for name in row.names)
