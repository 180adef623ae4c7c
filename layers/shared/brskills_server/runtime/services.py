"""The parts of a deployment, each opened on first use, once a process.

What is slow to import and used by few functions is imported by the function that opens it (decision 18).
"""

import os
from collections.abc import Callable, Mapping
from functools import cache, cached_property, wraps
from threading import RLock
from typing import Any, TypeVar

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.api_key import digest
from brskills_server.accounts.billing import PaymentProcessor
from brskills_server.accounts.clients import PER_DAY, PER_MONTH, READ_PER_DAY, READ_PER_MONTH, Clients
from brskills_server.accounts.grants import Grants
from brskills_server.accounts.network_hash import Pseudonyms
from brskills_server.accounts.signup import ClosedSignups, Signups
from brskills_server.accounts.subscriptions import Subscriptions
from brskills_server.adapters.stores import AccessStore, Stores
from brskills_server.metering.ledger import Ledger
from brskills_server.proofs.keys import ProofKeys
from brskills_server.runtime.instrumented import instrumented
from brskills_server.runtime.settings import Settings
from brskills_server.runtime.stores import open_stores
from brskills_server.telemetry import record_with
from brskills_server.telemetry.availability import AvailabilityHistory
from brskills_server.telemetry.outcome import Tally

T = TypeVar("T")
Owner = TypeVar("Owner")

_OPENING = RLock()  # one for all: a part is opened once a process, and opens others


def opened_once(open_part: Callable[[Owner], T]) -> cached_property[T]:
    """Return a ``cached_property`` that locks while it opens; since Python 3.12 it has no lock itself."""

    @wraps(open_part)
    def opened(owner: Owner) -> T:
        with _OPENING:
            parts = vars(owner)
            if open_part.__name__ not in parts:
                parts[open_part.__name__] = open_part(owner)
            found: T = parts[open_part.__name__]
            return found

    return cached_property(opened)


class Services:
    """Parts of a deployment, one of each."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @opened_once
    def stores(self) -> Stores:
        """The stores that ``STORE`` names. Raise ``ValueError`` for a wrong one."""
        return open_stores(self.settings)

    @opened_once
    def maintenance(self) -> Any:
        """``adapters.maintenance.Maintenance``. Raise ``ValueError`` for a wrong ``STORE``."""
        return self.stores.open_maintenance()

    @opened_once
    def store(self) -> AccessStore:
        """Accounts, keys and counters."""
        return instrumented(self.stores.access, "access")

    @opened_once
    def accounts(self) -> Accounts:
        """Accounts and their keys."""
        settings = self.settings
        return Accounts(self.store, digest(settings.demo_api_key) if settings.features.demo else None)

    @opened_once
    def grants(self) -> Grants:
        """OAuth grants and their tokens."""
        return Grants(self.store, self.accounts)

    @opened_once
    def clients(self) -> Clients:
        """OAuth clients."""
        return Clients(self.store)

    @opened_once
    def ledger(self) -> Ledger:
        """The month's calls."""
        return Ledger(self.store, self.settings.demo_monthly_limit)

    @opened_once
    def tally(self) -> Tally:
        """This process's counts of answered and failed calls, and the parts that fail in any."""
        return Tally(self.store, instrumented(self.stores.companies, "companies"))

    @opened_once
    def history(self) -> AvailabilityHistory:
        """Counts of answered and failed calls of all processes, by day."""
        return AvailabilityHistory(self.store)

    @opened_once
    def pseudonyms(self) -> Pseudonyms:
        """Hashes of addresses and e-mails."""
        return Pseudonyms(self.store)

    @opened_once
    def proof_keys(self) -> ProofKeys:
        """Keys that sign proofs."""
        return ProofKeys(self.store)

    @opened_once
    def signups(self) -> Signups | ClosedSignups:
        """Sign-ups by address and e-mail."""
        settings = self.settings
        if not settings.features.signups:
            return ClosedSignups(settings.support_contact)
        return Signups(self.store, self.pseudonyms, settings.signups_per_day, settings.signups_per_month)

    @opened_once
    def registrations(self) -> Signups:
        """Registrations of OAuth clients by address."""
        return Signups(self.store, self.pseudonyms, PER_DAY, PER_MONTH, counted="client")

    @opened_once
    def document_readings(self) -> Signups:
        """Readings of clients' metadata documents by address."""
        return Signups(self.store, self.pseudonyms, READ_PER_DAY, READ_PER_MONTH, counted="document")

    @opened_once
    def subscriptions(self) -> Subscriptions:
        """Plans by the payment processor's events."""
        return Subscriptions(self.store)

    @opened_once
    def watches(self) -> Any:
        """``watches.watches.Watches``: watched companies, and the feeds of what changed in them."""
        from brskills_server.watches.watches import Watches  # for the routes of watches alone

        return Watches(self.store)

    @opened_once
    def webhooks(self) -> Any:
        """``webhooks.webhooks.Webhooks``: addresses to which events are delivered."""
        from brskills_server.metering.window_limits import WebhookTests
        from brskills_server.webhooks.webhooks import Webhooks  # for the routes of webhooks alone

        allow_loopback = self.settings.webhook_allow_loopback == "1"
        return Webhooks(self.store, WebhookTests(self.store), allow_loopback=allow_loopback)

    @opened_once
    def processor(self) -> PaymentProcessor | None:
        """Stripe, or ``None`` where it is not configured."""
        settings = self.settings.stripe
        if settings is None:
            return None
        from brskills_server.adapters.stripe.processor import StripeProcessor  # its library is slow to import

        return StripeProcessor(settings)

    @opened_once
    def dedicated_gateway_keys(self) -> Any:
        """``accounts.dedicated_gateway_keys.DedicatedGatewayKeys``, at AWS API Gateway."""
        # botocore is slow to import.
        from brskills_server.accounts.dedicated_gateway_keys import DedicatedGatewayKeys
        from brskills_server.adapters.apigateway import open_gateway_keys

        return DedicatedGatewayKeys(open_gateway_keys(os.environ), self.store)

    @opened_once
    def custom_skills(self) -> Any:
        """``skills.custom.CustomSkills`` of this installation. Raise ``FaultySkills``."""
        # With skills, package metadata and, if there is one, pydantic: a fifth of the floor of a cold start.
        from brskills_server.runtime.custom_skills import find_custom_skills

        return find_custom_skills(self.settings.skill_plans)


def choose_recorder(environment: Mapping[str, str]) -> None:
    """Record metrics in CloudWatch on AWS if there is a namespace; the gateway chooses a recorder itself."""
    if environment.get("AWS_LAMBDA_FUNCTION_NAME") and environment.get("POWERTOOLS_METRICS_NAMESPACE"):
        from brskills_server.adapters.cloudwatch import CloudWatchRecorder  # for functions on AWS alone

        record_with(CloudWatchRecorder())


@cache
def open_services() -> Services:
    """Return the services of this process, from its environment. Raise ``ValueError`` for a wrong setting."""
    choose_recorder(os.environ)
    return Services(Settings.from_environment())
