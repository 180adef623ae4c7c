"""The parts of a deployment, put together once a process from its settings.

Each part is opened on first use, once for all threads. What is slow to import and used by few functions is
imported by the function that opens it, and its type is named in words (decision 32). Look-ups of companies
are in ``runtime.companies``.
"""

import os
from functools import cache
from typing import Any

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
from brskills_server.runtime.instrumented import instrumented
from brskills_server.runtime.opened_once import opened_once
from brskills_server.runtime.recording import choose_recorder
from brskills_server.runtime.setting_types import STORE_FORMS
from brskills_server.runtime.settings import Settings
from brskills_server.telemetry.availability import AvailabilityHistory
from brskills_server.telemetry.outcome import Tally

__all__ = ["Services", "open_services"]


class Services:
    """Parts of a deployment, one of each."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @opened_once
    def stores(self) -> Stores:
        """The stores that ``STORE`` names. Raise ``ValueError`` for a wrong one."""
        return _open_stores(self.settings)

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
        """This process's counts of answered and failed calls."""
        return Tally(self.store)

    @opened_once
    def history(self) -> AvailabilityHistory:
        """Counts of answered and failed calls of all processes, by day."""
        return AvailabilityHistory(self.store)

    @opened_once
    def pseudonyms(self) -> Pseudonyms:
        """Hashes of addresses and e-mails."""
        return Pseudonyms(self.store)

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
    def processor(self) -> PaymentProcessor | None:
        """Stripe, or ``None`` where it is not configured."""
        settings = self.settings.stripe
        if settings is None:
            return None
        from brskills_server.adapters.stripe.processor import StripeProcessor  # its library is slow to import

        return StripeProcessor(settings)

    @opened_once
    def custom_skills(self) -> Any:
        """``skills.custom.CustomSkills`` of this installation. Raise ``FaultySkills``."""
        # With skills, package metadata and, if there is one, pydantic: a fifth of the floor of a cold start.
        from brskills_server.runtime.custom_skills import find_custom_skills

        return find_custom_skills(self.settings.skill_plans)


def _open_stores(settings: Settings) -> Stores:
    # The driver of one store is not loaded, or even installed, where another one is used.
    match settings.store.partition(":")[0]:
        case "dynamodb":
            from brskills_server.adapters.dynamodb import access

            return access.open_stores(settings)
        case "sqlite":
            from brskills_server.adapters import sqlite

            return sqlite.open_stores(settings)
        case "postgresql":
            from brskills_server.adapters import postgresql

            return postgresql.open_stores(settings)
        case "memory":
            from brskills_server.adapters import memory

            return memory.open_stores(settings)
    raise ValueError(f"STORE {STORE_FORMS}")


@cache
def open_services() -> Services:
    """Return the services of this process, from its environment. Raise ``ValueError`` for a wrong setting."""
    choose_recorder(os.environ)
    return Services(Settings.from_environment())
