"""The caller of a request, and the calls of skills made in their session."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, TypeVar

from brskills_server import telemetry
from brskills_server.accounts.account import DEMO, Account, Caller
from brskills_server.accounts.errors import InvalidKey, StoreUnavailable
from brskills_server.accounts.grant import Grant
from brskills_server.accounts.network_hash import network_of, site_of
from brskills_server.metering.session import Session
from brskills_server.runtime.services import Services
from brskills_server.skills.custom import CustomSkills
from brskills_server.skills.errors import ApiError
from brskills_server.skills.perform import IDEMPOTENCY_HEADER, perform
from brskills_server.skills.skill import Call, Skill, unsupported
from brskills_server.telemetry.figures import REFUSALS
from brskills_server.web.problems import content_of, internal_error, problem_of
from brskills_server.web.request import Request
from brskills_server.web.response import Response

Presented = TypeVar("Presented")

_KEY_HEADER = IDEMPOTENCY_HEADER.lower()
_NO_LIMIT = nullcontext()


class Sessions:
    """Sessions of requests over a deployment's services.

    ``companies``: ``runtime.companies.Companies``, whose import loads the registry, for skills that need it;
    ``locations``: ``runtime.locations.Locations``, for those that follow a code's location; ``watches``:
    ``watches.watches.Watches``, for those of watched companies; ``webhooks``: ``webhooks.webhooks.Webhooks``.
    """

    def __init__(
        self,
        services: Services,
        companies: Any = None,
        locations: Any = None,
        watches: Any = None,
        webhooks: Any = None,
    ) -> None:
        self._services = services
        self._companies = companies
        self._locations = locations
        self._watches, self._webhooks = watches, webhooks
        self._ledger = services.ledger  # opened here, at start, and not in the first call

    def require_key(self, handler: Callable[[Request, Session], Response]) -> Callable[[Request], Response]:
        """Return a handler that also checks that the key is active at that moment, whatever it answers."""

        def run(request: Request) -> Response:
            session = self.of(request)
            session.allowance.take_of_minute(session.caller)
            try:
                return handler(request, session)
            finally:
                session.ensure_checked()

        return run

    def of(self, request: Request) -> Session:
        """Return the session of a request that API Gateway's authorizer allowed. Raise ``InvalidKey``."""
        authorizer = request.authorizer
        if "account" not in authorizer or "key" not in authorizer:
            raise InvalidKey
        return self._open(Caller(authorizer["account"], authorizer["key"]), request)

    def of_key(self, api_key: str, request: Request) -> Session:
        """Return the session of a key on a route without authorizer. Raise ``InvalidKey``."""
        caller, _ = self._services.accounts.identify(api_key)
        return self._open(caller, request)

    def of_token(self, token: str, request: Request) -> tuple[Session, Grant]:
        """Return the session of an access token, and its grant. Raise ``InvalidToken``."""
        caller, grant = self._services.grants.identify(token)
        session = self._open(caller, request)
        request.outcome.add_grant_usage = partial(self._add_usage, grant, session, request)
        return session, grant

    def of_custom_skill(self, name: str, request: Request) -> tuple[Session, Skill]:
        """Return the custom skill of this name that the request's key may use, and the key's session.

        Raise ``InvalidKey``, ``ApiError`` ``not_found`` without a key or the right to use it, as for an
        unknown route, and ``UncountedLimit`` after too many of these in a minute.
        """
        if not request.api_key:
            raise ApiError("not_found")
        caller, account = self._services.accounts.identify(request.api_key)
        installed: CustomSkills = self._services.custom_skills
        skill = installed.of(account).get(name)
        if skill is None:  # the demo key may use none, so its callers share one allowance here
            self._ledger.allowance.take_of_minute(caller)
            raise ApiError("not_found")
        return self._open(caller, request), skill

    def run_skill(
        self,
        skill: Skill,
        session: Session,
        request: Request,
        read: Callable[[], dict[str, Any]],
        present: Callable[[Any], Presented],
        slot: AbstractContextManager[None] = _NO_LIMIT,
    ) -> Presented:
        """Perform a skill on what ``read`` returns; take from the caller's allowance what was not counted.

        ``slot``: held meanwhile. Raise what ``read``, ``slot`` and ``perform`` raise, ``UncountedLimit`` and
        ``InvalidKey``.
        """
        try:
            with slot:
                presented = perform(skill, read(), self._call(session, request), present)
        except StoreUnavailable:  # a second question to the store would only take longer
            raise
        except BaseException:
            session.take_allowance(len(request.body))
            raise
        session.take_allowance(len(request.body))
        return presented

    def prove(self, answer: str, session: Session, request: Request) -> str:
        """Return the proof of a JSON answer. Raise ``StoreUnavailable``."""
        from brskills_server.proofs.proof import ProvenRequest, write_proof

        key, now = self._services.proof_keys.signing_key(), time.time()
        proven = ProvenRequest(
            request.route[0], request.target, request.body, request.id, session.caller.account
        )
        return write_proof(answer, proven, request.base_of(request.path), key, now)

    def network(self, request: Request) -> str:
        """Return the network a request comes from, as sign-ups and the demo key count it."""
        return network_of(request.client_address(self._services.settings.trusted_proxies))

    def _call(self, session: Session, request: Request) -> Call:
        # A repeated GET is answered by stored records, so a key there has no meaning.
        repeat_key = request.headers.get(_KEY_HEADER) if request.route[0] == "POST" else None
        companies, locations = self._companies, self._locations
        return Call(
            session,
            request.language,
            partial(companies.find_company, session=session) if companies else unsupported,
            partial(companies.find_companies, session=session) if companies else unsupported,
            repeat_key,
            partial(self._problem_of_item, request),
            request.outcome,
            partial(locations.follow, session=session) if locations else unsupported,
            companies.find_history if companies else unsupported,
            companies.search if companies else None,
            partial(self._account_of, session),
            self._watches,
            self._services.store if self._watches else None,
            self._webhooks,
        )

    def _account_of(self, session: Session) -> Account:
        session.allowance.check(session.caller)
        return self._services.accounts.own(session.caller)

    def _open(self, caller: Caller, request: Request) -> Session:
        if caller.account == DEMO:
            request.outcome.is_demo = True
            network, now, of = self.network(request), time.time(), self._services.pseudonyms.of
            site = site_of(network)
            caller = caller._replace(
                address=of(f"address:{network}", now), site=of(f"address:{site}", now) if site else ""
            )
        return Session(self._ledger, caller)

    def _add_usage(self, grant: Grant, session: Session, request: Request) -> None:
        """Add what a request cost to its grant's usage: a statistic, without which the answer stays valid."""
        calls = session.calls - session.counted_before
        if session.quota is None or calls <= 0:
            return
        try:
            self._services.grants.count(grant, session.quota.month, calls)
        except StoreUnavailable as error:
            request.report(error)

    def _problem_of_item(self, request: Request, error: Exception) -> dict[str, Any]:
        """Return the problem for an item of a batch; report an error that was not foreseen."""
        problem = problem_of(error)
        if problem is None:
            request.report(error)
            problem = internal_error(self._services.settings.support_contact)
        telemetry.count(REFUSALS, problem.code)
        return content_of(problem, request.id, request.language)
