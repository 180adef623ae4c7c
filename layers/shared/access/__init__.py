"""Who may call, how often, and who they are: keys, plans, accounts, grants, the ledger and subscriptions.

Rules alone: what they ask of a store stands in ``access.ports``, and what they ask of a payment
processor in ``access.billing``.
"""

from access.account import DEMO, Account, Caller
from access.accounts import Accounts, Issued
from access.address import Pseudonyms, network_of, parse_address, site_of
from access.billing import Billing, BillingEvent, PaymentProcessor, Subscription
from access.errors import (
    AccessError,
    BillingUnavailable,
    DemoKey,
    IdempotencyKeyReused,
    InvalidKey,
    InvalidSignature,
    InvalidToken,
    NotAnEvent,
    NothingSold,
    QuotaExceeded,
    SignupClosed,
    SignupLimit,
    StoreUnavailable,
    TooManyGrants,
    TooManyKeys,
    UnconfirmedRotation,
    UncountedLimit,
    UnknownCustomer,
)
from access.grant import Client, Grant, Terms, Tokens
from access.ledger import Ledger
from access.plans import PLANS, SPENT_RATE, Plan
from access.ports import AccessStore
from access.quota import Quota
from access.session import Session
from access.signup import ClosedSignups, Signups
from access.subscriptions import Subscriptions

__all__ = [
    "DEMO",
    "PLANS",
    "SPENT_RATE",
    "AccessError",
    "AccessStore",
    "Account",
    "Accounts",
    "Billing",
    "BillingEvent",
    "BillingUnavailable",
    "Caller",
    "Client",
    "ClosedSignups",
    "DemoKey",
    "Grant",
    "IdempotencyKeyReused",
    "InvalidKey",
    "InvalidSignature",
    "InvalidToken",
    "Issued",
    "Ledger",
    "NotAnEvent",
    "NothingSold",
    "PaymentProcessor",
    "Plan",
    "Pseudonyms",
    "Quota",
    "QuotaExceeded",
    "Session",
    "SignupClosed",
    "SignupLimit",
    "Signups",
    "StoreUnavailable",
    "Subscription",
    "Subscriptions",
    "Terms",
    "Tokens",
    "TooManyGrants",
    "TooManyKeys",
    "UnconfirmedRotation",
    "UncountedLimit",
    "UnknownCustomer",
    "network_of",
    "parse_address",
    "site_of",
]
