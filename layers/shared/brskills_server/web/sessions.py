"""Who a request comes from: the key's account, or the network of the demo key."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from brskills_server import telemetry
from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import InvalidKey, StoreUnavailable
from brskills_server.accounts.grant import Grant
from brskills_server.accounts.network_hash import network_of, site_of
from brskills_server.metering.session import Session
from brskills_server.runtime.services import Services
from brskills_server.skills.idempotency import HEADER
from brskills_server.skills.refusals import Refusal
from brskills_server.skills.skill import Call, Skill
from brskills_server.telemetry.figures import REFUSALS
from brskills_server.web.problems import content_of, internal_error, problem_of
from brskills_server.web.request import Request
from brskills_server.web.response import Response

__all__ = ["Sessions", "taking_allowance"]


class Sessions:
    """Sessions of requests over a deployment's services."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._ledger = services.ledger  # opened here, at start, and not in the first call

    def require_key(self, handler: Callable[[Request, Session], Response]) -> Callable[[Request], Response]:
        """A route that needs a key: whatever it answers, the key must be active at that moment."""

        def run(request: Request) -> Response:
            session = self._of(request)
            session.allowance.take_of_minute(session.caller)
            try:
                return handler(request, session)
            finally:
                session.ensure_checked()

        return run

    def require_allowance(
        self, handler: Callable[[Request, Session], Response]
    ) -> Callable[[Request], Response]:
        """A route that needs a key, and takes of the caller's allowance where it counts nothing."""

        def run(request: Request) -> Response:
            session = self._of(request)
            with taking_allowance(session, request):
                return handler(request, session)

        return run

    def of_key(self, api_key: str, request: Request) -> Session:
        """The session of a key on a route without authorizer; raises ``InvalidKey``."""
        caller, _ = self._services.accounts.identify(api_key)
        return self._open(caller, request)

    def of_token(self, token: str, request: Request) -> tuple[Session, Grant]:
        """The session of an access token and the grant that it comes from; raises ``InvalidToken``."""
        caller, grant = self._services.grants.identify(token)
        return self._open(caller, request), grant

    def tell(self, grant: Grant, session: Session, request: Request) -> None:
        """Keep how many calls a grant's client has just cost. It is a figure: without it the answer holds."""
        calls = session.calls - session.counted_before
        if session.quota is None or calls <= 0:
            return
        try:
            self._services.grants.count(grant, session.quota.month, calls)
        except StoreUnavailable as error:
            request.report(error)

    def for_custom_skill(self, name: str, request: Request) -> tuple[Session, Skill]:
        """A custom skill that the request's key may use at this moment, and the session of that key.

        Raises ``InvalidKey``, and ``Refusal`` ``not_found``, as where there is no such route, for whoever may
        not use it or sends no key; ``UncountedLimit`` where that was asked too often in a minute.
        """
        if not request.api_key:
            raise Refusal("not_found")
        caller, account = self._services.accounts.identify(request.api_key)
        skill = self._services.custom_skills.of(account).get(name)
        if skill is None:  # of the demo key's callers all addresses together: no custom skill is theirs
            self._ledger.allowance.take_of_minute(caller)
            raise Refusal("not_found")
        return self._open(caller, request), skill

    def call(self, session: Session, request: Request) -> Call:
        """What a skill may know and use while it answers a request."""
        # Whoever repeats a GET is answered by stored records; a key there means nothing.
        repeat_key = request.headers.get(HEADER.lower()) if request.route[0] == "POST" else None
        return Call(
            session,
            request.language,
            lambda cnpj, demand: self._services.find_company(cnpj, demand, session),
            lambda cnpjs, demand: self._services.find_companies(cnpjs, demand, session),
            repeat_key,
            lambda error: _told(error, request),
            request.calls,
        )

    def network(self, request: Request) -> str:
        """The network a request comes from, as sign-ups and the demo key count it."""
        return network_of(request.client_address(self._services.settings.trusted_proxies))

    def _of(self, request: Request) -> Session:
        """The session of a request that API Gateway's authorizer let through."""
        if not {"account", "key"} <= request.authorizer.keys():
            raise InvalidKey
        return self._open(Caller(request.authorizer["account"], request.authorizer["key"]), request)

    def _open(self, caller: Caller, request: Request) -> Session:
        request.calls.is_demo = caller.is_demo
        if caller.is_demo:
            network, now, of = self.network(request), time.time(), self._services.pseudonyms.of
            site = site_of(network)
            caller = caller._replace(
                address=of(f"address:{network}", now), site=of(f"address:{site}", now) if site else ""
            )
        return Session(self._ledger, caller)


@contextmanager
def taking_allowance(session: Session, request: Request) -> Iterator[None]:
    """Take what the request inside did without being counted from the caller's allowance."""
    try:
        yield
    except StoreUnavailable:  # it is not asked again
        raise
    except BaseException:
        session.take_allowance(len(request.body))
        raise
    session.take_allowance(len(request.body))


def _told(error: Exception, request: Request) -> dict[str, Any]:
    """The problem that an error is to an item of a batch; one that nobody foresaw is also reported."""
    problem = problem_of(error)
    if problem is None:
        request.report(error)
        problem = internal_error()
    telemetry.count(REFUSALS, problem.code)
    return content_of(problem, request.id, request.language)
