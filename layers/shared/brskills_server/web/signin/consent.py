"""GET and POST /oauth/authorize: show a person which client requests what, and issue a code if they allow it.

Errors are displayed, not redirected: anybody may register a client, and an open redirect would lend it our
name (RFC 9700 §4.11).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InsecureTransportError, UnsupportedResponseTypeError

from brskills_server.accounts import errors
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.api_key import PREFIX
from brskills_server.accounts.grant import Terms
from brskills_server.accounts.grants import Grants
from brskills_server.accounts.signup import ClosedSignups, Signups
from brskills_server.skills.account.keys import sign_up
from brskills_server.web.request import LANGUAGES, Request
from brskills_server.web.response import Response
from brskills_server.web.signin import csrf, scopes
from brskills_server.web.signin.authorization_server import InvalidTarget, Message, Server
from brskills_server.web.signin.client_lookup import Busy, ClientLookup
from brskills_server.web.signin.metadata import is_our_resource, resource_of
from brskills_server.web.signin.pages import PageContext, Pages
from brskills_server.web.signin.parameters import read_fields, read_query
from brskills_server.web.signin.redirects import Destination, destination_of, with_parameters
from brskills_server.web.signin.responses import RETRY_SECONDS

ISSUES: dict[type[errors.AccessError], str] = {
    errors.InvalidKey: "key",
    errors.DemoKey: "demo_key",
    errors.TooManyGrants: "grants",
    errors.SignupClosed: "signup_closed",
    errors.SignupLimit: "signup",
}
_PROXY = "The proxy in front must set X-Forwarded-Proto: https, and pass Host."


@dataclass(frozen=True, slots=True)
class _Authorization:
    """A valid authorization request."""

    parameters: Mapping[str, str]
    terms: Terms
    destination: Destination
    context: PageContext

    def redirect(self, **parameters: str) -> Response:
        """Redirect to the client with GET, without caching and without a referrer."""
        address = _client_url(self.terms.redirect_uri, self.parameters, self.context, parameters)
        headers = {"Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
        return Response(303, "", headers)


@dataclass
class Consent:
    """The authorization endpoint. ``network`` returns a request's network, by which sign-ups are limited."""

    pages: Pages
    client_lookup: ClientLookup
    grants: Grants
    accounts: Accounts
    signups: Signups | ClosedSignups
    network: Callable[[Request], str]

    def show(self, request: Request) -> Response:
        """Ask for consent."""
        return self._respond(request, self._ask)

    def decide(self, request: Request) -> Response:
        """Handle the person's decision."""
        return self._respond(request, self._decide)

    def _respond(self, request: Request, handle: Callable[[Request, _Authorization], Response]) -> Response:
        """Validate the request and handle it, or return the page on what is wrong with it."""
        context = PageContext(request.base_url, request.language)
        parameters: dict[str, str] = {}
        try:
            parameters = read_query(request)
            context = PageContext(context.base, _language(parameters, request))
            return handle(request, self._validate(request, parameters, context))
        except InsecureTransportError:
            return self.pages.message(context, 400, "insecure_transport", detail=_PROXY)
        except OAuth2Error as error:
            values = {"error": error.error, "error_description": _description(error)}
            back = _client_url(error.redirect_uri, parameters, context, values) if error.redirect_uri else ""
            reason = error.error if error.error == "invalid_client" else "request"
            detail = ": ".join(filter(None, values.values()))
            return self.pages.message(context, 400, reason, detail=detail, back=back)
        except errors.SignupLimit as limit:
            return self.pages.message(context, 429, "limit", retry_after=limit.retry_after)
        except (Busy, errors.StoreUnavailable) as error:
            if isinstance(error, errors.StoreUnavailable):
                request.report(error)
            return self.pages.message(context, 503, "unavailable", retry_after=RETRY_SECONDS)

    def _validate(self, request: Request, parameters: dict[str, str], context: PageContext) -> _Authorization:
        """Raise ``OAuth2Error``, with ``redirect_uri`` if that is valid, for an invalid request."""
        network = self.network(request)
        server = Server(context.base, self.grants, lambda name: self.client_lookup.find(name, network))
        message = Message("GET", f"{context.base}/oauth/authorize", parameters)
        grant = server.get_consent_grant(message)
        resource = parameters.get("resource", resource_of(context.base))
        if not is_our_resource(resource, context.base):
            raise InvalidTarget("The resource is not one of this server's.", redirect_uri=grant.redirect_uri)
        destination = destination_of(grant.redirect_uri)
        assert destination is not None  # noqa: S101 - for mypy: it equals a registered address
        terms = Terms(
            client=grant.client.client,
            scopes=scopes.read(parameters.get("scope")),
            resource=resource_of(context.base),
            redirect_uri=grant.redirect_uri,
            challenge=parameters["code_challenge"],
        )
        return _Authorization(parameters, terms, destination, context)

    def _ask(
        self, request: Request, authorization: _Authorization, *, issue: str = "", new_key: str = ""
    ) -> Response:
        base = authorization.context.base
        secret, cookie = csrf.cookie_for(csrf.secret_of(request, base), base)
        page = self.pages.consent(
            authorization.context,
            authorization.terms,
            authorization.destination,
            csrf.token_for(secret, authorization.parameters),
            issue=issue,
            new_key=new_key,
        )
        page.headers["Set-Cookie"] = cookie
        return page

    def _decide(self, request: Request, authorization: _Authorization) -> Response:
        context, fields = authorization.context, read_fields(request)
        missing = csrf.find_mismatch(request, context.base, authorization.parameters, fields.get("token", ""))
        if missing:
            detail = f"Missing, or not of this page: {missing}."
            return self.pages.message(context, 403, "foreign", detail=detail)
        key = fields.get("key", "").strip()
        try:
            match fields.get("answer"):
                case "allow":
                    caller, _ = self.accounts.identify(key)
                    return authorization.redirect(code=self.grants.open(caller, authorization.terms))
                case "new_key":
                    issued = sign_up({}, self.network(request), self.signups, self.accounts)
                    return self._ask(request, authorization, new_key=issued.api_key)
                case _:
                    return authorization.redirect(error="access_denied")
        except tuple(ISSUES) as error:
            # A Pix key or password in the field needs another text than a mistyped key.
            is_other = isinstance(error, errors.InvalidKey) and not key.startswith(PREFIX)
            return self._ask(request, authorization, issue="other" if is_other else ISSUES[type(error)])


def _client_url(
    redirect_uri: str, asked: Mapping[str, str], context: PageContext, values: Mapping[str, str]
) -> str:
    """Return the redirect address with a response, the request's ``state`` and the issuer (RFC 9207)."""
    sent = {name: value for name, value in {**values, "state": asked.get("state", "")}.items() if value}
    return with_parameters(redirect_uri, {**sent, "iss": context.base})


def _description(error: OAuth2Error) -> str:
    """Return the error's description without parts of the request, which must not reach the page."""
    if isinstance(error, UnsupportedResponseTypeError):
        return "response_type must be code."
    return str(error.get_error_description())


def _language(parameters: Mapping[str, str], request: Request) -> str:
    """Return the first supported of ``ui_locales``, else the browser's language."""
    tags = (tag.partition("-")[0].lower() for tag in parameters.get("ui_locales", "").split())
    return next((language for language in tags if language in LANGUAGES), request.language)
