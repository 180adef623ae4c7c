"""Look-ups of companies for requests, over the registry that the settings describe."""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from threading import Lock
from typing import Any

from brskills_server import telemetry
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.parameter_store import Secret
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS
from brskills_server.metering.session import Session
from brskills_server.metering.window_limits import PaidShares, RepeatAttempts
from brskills_server.registry.answer import Answer
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable, TokenUnavailable
from brskills_server.registry.query import Payer, Query, Repetition
from brskills_server.registry.registry import Registry, build_registry
from brskills_server.registry.sandbox import SANDBOX_NUMBERS
from brskills_server.registry.search.register_search import RegisterSearch
from brskills_server.registry.snapshot.histories import Histories
from brskills_server.registry.store import StoreFault
from brskills_server.runtime.instrumented import instrumented
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import VERSION
from brskills_server.runtime.snapshot import open_history, open_search, open_snapshot
from brskills_server.telemetry import figures


class Companies:
    """Companies by number, looked up on the terms of a request, and recorded as metrics.

    ``search``: of the register's snapshot, if there is one. ``find_history``: as ``Histories.find``.
    """

    def __init__(
        self,
        registry: Registry,
        shares: PaidShares,
        attempts: RepeatAttempts,
        histories: Histories,
        search: RegisterSearch | None = None,
    ) -> None:
        self.registry = registry
        self.search = search
        self.find_history = histories.find
        self._shares = shares
        self._attempts = attempts

    def find_company(self, query: Query, session: Session) -> Answer:
        """Return a company for a request whose calls are reserved. Raise as ``Registry.look_up``."""
        try:
            answer = self.registry.look_up(replace(query, **self._terms(session)))
        except Exception as error:
            _record(error, query.cnpj)
            raise
        _record(answer, query.cnpj)
        return answer

    def find_companies(self, queries: Sequence[Query], session: Session) -> list[Answer | Exception]:
        """Return what ``Registry.look_up_many`` does, for a request whose calls are reserved."""
        terms = self._terms(session)
        found: list[Answer | Exception] = self.registry.look_up_many(
            [replace(query, **terms) for query in queries]
        )
        for query, outcome in zip(queries, found, strict=True):
            _record(outcome, query.cnpj)
        return found

    def _terms(self, session: Session) -> dict[str, Any]:
        """Return what all queries of a request share; a free call or a repetition pays for no source."""
        terms: dict[str, Any] = {"before_asking": session.before_asking}
        if session.replayed:
            return terms | {"repetition": _repetition_of(session, self._attempts)}
        if session.calls and session.plan in self._shares.plans:
            account = session.caller.account
            return terms | {"payer": Payer(account, partial(_take_share, self._shares, account))}
        return terms


@cache
def open_companies(services: Services) -> Companies:
    """Return the look-ups of a deployment. Raise ``ValueError`` for a wrong ``REGISTRY_COPY``."""
    settings = services.settings
    snapshot = open_snapshot(settings)
    registry = build_registry(
        providers=settings.registry_providers,
        urls=settings.registry_urls,
        store=instrumented(services.stores.companies, "companies"),
        fresh_seconds=settings.company_fresh_seconds,
        user_agent=f"brskills/{VERSION} (+{settings.project_url})",
        observe=record_attempt,
        snapshot=snapshot,
        tokens={name: Secret(token, TokenUnavailable) for name, token in settings.registry_tokens.items()},
        paid_per_day=settings.paid_lookups_per_day,
    )
    shares = PaidShares(services.store, settings.paid_lookup_plans, settings.paid_lookups_per_day)
    histories, attempts = Histories(snapshot, lambda: open_history(settings)), RepeatAttempts(services.store)
    return Companies(registry, shares, attempts, histories, open_search(settings))


def _repetition_of(session: Session, attempts: RepeatAttempts) -> Repetition:
    """Return the repetition that a request is whose calls were counted before."""
    is_young = time.time() - session.since < ATTEMPT_SECONDS
    is_pending = is_young and session.answered_before < session.counted_before
    return Repetition(session.since, is_pending, _Attempts(session, attempts).may_ask)


class _Attempts:
    """The companies a repetition may ask sources for: those it counts itself, and the minute's attempt."""

    def __init__(self, session: Session, attempts: RepeatAttempts) -> None:
        self._session = session
        self._attempts = attempts
        self._newly_counted = session.calls - session.counted_before
        self._has_attempt: bool | None = None
        self._lock = Lock()

    def may_ask(self) -> bool:
        with self._lock:
            if self._newly_counted > 0:
                self._newly_counted -= 1
                return True
            if self._has_attempt is None:
                self._has_attempt = self._take_attempt()
            return self._has_attempt

    def _take_attempt(self) -> bool:
        try:
            return self._attempts.take_attempt(self._session.idempotency_id, self._session.since)
        except StoreUnavailable:
            return False


def _take_share(shares: PaidShares, account: str) -> bool:
    try:
        return shares.take(account)
    except StoreUnavailable as failure:
        raise StoreFault(str(failure)) from failure


def record_attempt(provider: str, outcome: str, seconds: float | None) -> None:
    """Record an attempt at a provider; ``seconds`` is ``None`` where it was not called."""
    telemetry.count(figures.PROVIDERS, provider, outcome)
    if seconds is not None:
        telemetry.observe(figures.PROVIDER_SECONDS, seconds, provider, outcome)


def _record(found: Answer | Exception, cnpj: str) -> None:
    """Record the outcome of a look-up, and the age of its answer."""
    is_sandbox = cnpj in SANDBOX_NUMBERS
    match found:
        case CompanyNotFound():
            served = "absent" if found.confirmed else "unconfirmed"
        case SourcesUnavailable():
            served = "unmet" if found.nothing_failed else "unavailable"
        case Exception():
            served = "failed"
        case answer:
            served = "live" if answer.live else "stale" if answer.stale else "stored"
            if not is_sandbox:
                telemetry.observe(figures.COMPANY_AGE, answer.age, served)
    telemetry.count(figures.COMPANIES, "sandbox" if is_sandbox else served)
