"""Who may call, how often, and who they are: keys, plans, accounts and the ledger (DynamoDB)."""

from access.accounts import Accounts, Issued
from access.address import Pseudonyms, network_of
from access.errors import AccessError, DemoKey, InvalidKey, QuotaExceeded, SignupLimit, TooManyKeys
from access.ledger import DEMO, Caller, Ledger, Reservation, quota_of
from access.plans import PLANS, SPENT_RATE, Plan
from access.quota import Quota
from access.session import Session
from access.signup import Signups
from access.subscriptions import Subscription, Subscriptions, billing_of

__all__ = [
    "DEMO",
    "PLANS",
    "SPENT_RATE",
    "AccessError",
    "Accounts",
    "Caller",
    "DemoKey",
    "InvalidKey",
    "Issued",
    "Ledger",
    "Plan",
    "Pseudonyms",
    "Quota",
    "QuotaExceeded",
    "Reservation",
    "Session",
    "SignupLimit",
    "Signups",
    "Subscription",
    "Subscriptions",
    "TooManyKeys",
    "billing_of",
    "network_of",
    "quota_of",
]
