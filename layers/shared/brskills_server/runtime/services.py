"""What a deployment consists of, put together once a process from its settings.

Every part is opened when it is first asked for, once for all threads, and what only it needs is imported
then: the function that writes Pix codes loads no HTTP client, the one that serves documents no botocore.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.api_key import digest
from brskills_server.accounts.billing import PaymentProcessor
from brskills_server.accounts.network_hash import Pseudonyms
from brskills_server.accounts.signup import ClosedSignups, Signups
from brskills_server.accounts.subscriptions import Subscriptions
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.runtime.instrumented import instrumented
from brskills_server.runtime.opened_once import opened_once
from brskills_server.runtime.recording import choose_recorder
from brskills_server.runtime.setting_types import STORE_FORMS
from brskills_server.runtime.settings import VERSION, Settings
from brskills_server.telemetry.availability import AvailabilityHistory
from brskills_server.telemetry.outcome import Tally

if TYPE_CHECKING:
    from brskills_server.accounts.clients import Clients
    from brskills_server.accounts.dedicated_gateway_keys import DedicatedGatewayKeys
    from brskills_server.accounts.grants import Grants
    from brskills_server.adapters.maintenance import Maintenance
    from brskills_server.adapters.stores import Stores
    from brskills_server.metering.paid_share import PaidShares
    from brskills_server.metering.repetitions import RepeatAttempts
    from brskills_server.registry.answer import Answer
    from brskills_server.registry.providers.provider_health import ProviderHealth
    from brskills_server.registry.query import Query
    from brskills_server.registry.registry import Registry
    from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
    from brskills_server.skills.custom import CustomSkills

__all__ = ["Services", "open_services"]

_COPY_FORMS = "REGISTRY_COPY takes a folder, and store only where STORE is postgresql://… or dynamodb"


class Services:
    """The parts of a deployment, one of each."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @opened_once
    def _stores(self) -> Stores:
        adapter = import_module(f"brskills_server.adapters.{self.settings.store.partition(':')[0]}")
        if not hasattr(adapter, "open_stores"):
            raise ValueError(f"STORE {STORE_FORMS}")
        stores: Stores = adapter.open_stores(self.settings)
        return stores

    @opened_once
    def maintenance(self) -> Maintenance:
        """What is done to the store as a whole; ``ValueError`` where ``STORE`` cannot be."""
        return self._stores.open_maintenance()

    @opened_once
    def store(self) -> AccessStore:
        """Accounts, keys and counters, behind the ports of ``access``."""
        return instrumented(self._stores.access, "access")

    @opened_once
    def accounts(self) -> Accounts:
        """Accounts and their keys."""
        settings = self.settings
        return Accounts(self.store, digest(settings.demo_api_key) if settings.features.demo else None)

    @opened_once
    def grants(self) -> Grants:
        """What accounts allowed clients, and the tokens for it."""
        from brskills_server.accounts.grants import Grants

        return Grants(self.store, self.accounts)

    @opened_once
    def clients(self) -> Clients:
        """Clients that sign in for people."""
        from brskills_server.accounts.clients import Clients

        return Clients(self.store)

    @opened_once
    def ledger(self) -> Ledger:
        """The month's calls."""
        return Ledger(self.store, self.settings.demo_monthly_limit)

    @opened_once
    def tally(self) -> Tally:
        """How many calls of skills there were, and how many failed, in this process."""
        return Tally(self.store)

    @opened_once
    def history(self) -> AvailabilityHistory:
        """The same of all processes, by day."""
        return AvailabilityHistory(self.store)

    @opened_once
    def pseudonyms(self) -> Pseudonyms:
        """What stands for addresses and e-mails."""
        return Pseudonyms(self.store)

    @opened_once
    def signups(self) -> Signups | ClosedSignups:
        """Keys for one address or e-mail."""
        settings = self.settings
        if not settings.features.signups:
            return ClosedSignups(settings.support_contact)
        return Signups(self.store, self.pseudonyms, settings.signups_per_day, settings.signups_per_month)

    @opened_once
    def registrations(self) -> Signups:
        """Clients that one address registers."""
        from brskills_server.accounts.clients import PER_DAY, PER_MONTH

        return Signups(self.store, self.pseudonyms, PER_DAY, PER_MONTH, counted="client")

    @opened_once
    def document_readings(self) -> Signups:
        """Clients' documents that one address has us read."""
        from brskills_server.accounts.clients import READ_PER_DAY, READ_PER_MONTH

        return Signups(self.store, self.pseudonyms, READ_PER_DAY, READ_PER_MONTH, counted="document")

    @opened_once
    def paid_shares(self) -> PaidShares:
        """Each account's share of the day's paid look-ups."""
        from brskills_server.metering.paid_share import PaidShares

        settings = self.settings
        return PaidShares(self.store, settings.paid_lookup_plans, settings.paid_lookups_per_day)

    @opened_once
    def repeats(self) -> RepeatAttempts:
        """Attempts of requests that are repeated."""
        from brskills_server.metering.repetitions import RepeatAttempts

        return RepeatAttempts(self.store)

    @opened_once
    def dedicated_gateway_keys(self) -> DedicatedGatewayKeys:
        """Gateway keys of their own for paying accounts."""
        from brskills_server.accounts.dedicated_gateway_keys import DedicatedGatewayKeys
        from brskills_server.adapters.apigateway import open_gateway_keys

        return DedicatedGatewayKeys(open_gateway_keys(os.environ), self.store)

    @opened_once
    def subscriptions(self) -> Subscriptions:
        """Plans by what the payment processor tells."""
        return Subscriptions(self.store)

    @opened_once
    def processor(self) -> PaymentProcessor | None:
        """Stripe where it is configured, else ``None``; its library is loaded only then."""
        settings = self.settings.stripe
        if settings is None:
            return None
        from brskills_server.adapters.stripe.processor import StripeProcessor

        return StripeProcessor(settings)

    @opened_once
    def custom_skills(self) -> CustomSkills:
        """The custom skills of this installation; raises ``FaultySkills``."""
        from brskills_server.runtime.custom_skills import find_custom_skills

        return find_custom_skills(self.settings.skill_plans)

    @opened_once
    def register_snapshot(self) -> RegisterSnapshot | None:
        """The snapshot of the register, which may appear later; ``None`` where no provider would read it.

        Raise ``ValueError`` for a wrong ``REGISTRY_COPY``.
        """
        place = self.settings.registry_copy
        if not place or SNAPSHOT_ID not in self.settings.registry_providers:
            return None
        if place != "store":
            from brskills_server.adapters.snapshots.sqlite import FolderMonths
            from brskills_server.adapters.snapshots.stored import StoredSnapshot

            return StoredSnapshot(FolderMonths(Path(place)))
        adapter = f"brskills_server.adapters.snapshots.{self.settings.store.partition(':')[0]}"
        if find_spec(adapter) is None or not hasattr(import_module(adapter), "open_snapshot"):
            raise ValueError(_COPY_FORMS)
        snapshot: RegisterSnapshot = import_module(adapter).open_snapshot(self.settings)
        return snapshot

    @opened_once
    def registry(self) -> Registry:
        """The company registry over the configured providers and the stored answers."""
        from brskills_server.registry.registry import build_registry
        from brskills_server.runtime.instrumented_registry import observe_attempt

        return build_registry(
            providers=self.settings.registry_providers,
            urls=self.settings.registry_urls,
            store=instrumented(self._stores.companies, "companies"),
            fresh_seconds=self.settings.company_fresh_seconds,
            user_agent=f"brskills/{VERSION} (+{self.settings.project_url})",
            observe=observe_attempt,
            snapshot=self.register_snapshot,
            tokens=self._registry_tokens(),
            paid_per_day=self.settings.paid_lookups_per_day,
        )

    def _registry_tokens(self) -> dict[str, Callable[[], str]]:
        """What reads the token of each paid address that is to be used."""
        from brskills_server.adapters.parameter_store import Secret
        from brskills_server.registry.errors import TokenUnavailable

        tokens = self.settings.registry_tokens
        return {provider: Secret(token, TokenUnavailable) for provider, token in tokens.items()}

    def find_company(self, query: Query, session: Session | None = None) -> Answer:
        """Return a company for a request whose calls are reserved; raise as ``Registry.look_up``.

        Without a session nothing is paid for.
        """
        from brskills_server.runtime.instrumented_registry import record_look_up

        try:
            answer = self.registry.look_up(self._with_terms(query, session))
        except Exception as error:
            record_look_up(error, query.cnpj)
            raise
        record_look_up(answer, query.cnpj)
        return answer

    def find_companies(self, queries: Sequence[Query], session: Session | None = None) -> list[Any]:
        """Return what ``Registry.look_up_many`` does, for a request whose calls are reserved."""
        from brskills_server.runtime.instrumented_registry import record_look_up

        outcomes = self.registry.look_up_many([self._with_terms(query, session) for query in queries])
        for query, outcome in zip(queries, outcomes, strict=True):
            record_look_up(outcome, query.cnpj)
        return outcomes

    def _with_terms(self, query: Query, session: Session | None) -> Query:
        from brskills_server.runtime.look_up_terms import with_terms

        return with_terms(query, session, self.paid_shares, self.repeats) if session else query

    def provider_health(self) -> list[ProviderHealth]:
        """How each provider of the registry is."""
        return self.registry.health()


@cache
def open_services() -> Services:
    """The services of this process, from its environment; ``ValueError`` names a setting that is wrong."""
    choose_recorder(os.environ)
    return Services(Settings.from_environment())
