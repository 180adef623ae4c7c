"""A client of brskills: Pix codes and Brazilian company records.

>>> from brskills import Client
>>> with Client(api_key="brsk_…", base_url="https://brskills.example") as client:  # doctest: +SKIP
...     print(client.company("SANDBOX1000170").razao_social)
EMPRESA DE EXEMPLO LTDA

``brcode`` and ``taxid``, which are installed with it, need neither a key nor the network.
"""

from brskills.answers import Batch, BillingPage, IssuedKey, Month, Plan, Plans, Status, Usage
from brskills.client import AsyncClient, Client
from brskills.company import Company
from brskills.errors import (
    BrskillsError,
    CompanyNotFound,
    ConfigurationError,
    ConnectionFailed,
    CopyUnavailable,
    CursorExpired,
    DemoKey,
    FieldError,
    IdempotencyKeyReused,
    InvalidFields,
    InvalidKey,
    ProblemError,
    QuotaExceeded,
    SignupClosed,
    SignupLimit,
    SourcesUnavailable,
    Throttled,
    UncountedLimit,
    UnexpectedAnswer,
    WatchLimit,
    WebhookLimit,
)
from brskills.history import Change, CompanyHistory
from brskills.payee import PayeeCheck
from brskills.pix import Charge, DecodedCode, PixCode
from brskills.proof import InvalidProof, Proof, verify_proof
from brskills.search import CompanyRow, SearchPage
from brskills.settings import NoKey
from brskills.watches import ChangePage, Watch, WatchedChange, Watching, WatchPage
from brskills.webhook_event import InvalidWebhook, WebhookEvent, verify_webhook
from brskills.webhooks import DeliveryAttempt, IssuedWebhook, Webhook

__all__ = [
    "AsyncClient",
    "Batch",
    "BillingPage",
    "BrskillsError",
    "Change",
    "ChangePage",
    "Charge",
    "Client",
    "Company",
    "CompanyHistory",
    "CompanyNotFound",
    "CompanyRow",
    "ConfigurationError",
    "ConnectionFailed",
    "CopyUnavailable",
    "CursorExpired",
    "DecodedCode",
    "DeliveryAttempt",
    "DemoKey",
    "FieldError",
    "IdempotencyKeyReused",
    "InvalidFields",
    "InvalidKey",
    "InvalidProof",
    "InvalidWebhook",
    "IssuedKey",
    "IssuedWebhook",
    "Month",
    "NoKey",
    "PayeeCheck",
    "PixCode",
    "Plan",
    "Plans",
    "ProblemError",
    "Proof",
    "QuotaExceeded",
    "SearchPage",
    "SignupClosed",
    "SignupLimit",
    "SourcesUnavailable",
    "Status",
    "Throttled",
    "UncountedLimit",
    "UnexpectedAnswer",
    "Usage",
    "Watch",
    "WatchLimit",
    "WatchPage",
    "WatchedChange",
    "Watching",
    "Webhook",
    "WebhookEvent",
    "WebhookLimit",
    "verify_proof",
    "verify_webhook",
]
