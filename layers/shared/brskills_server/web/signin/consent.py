"""GET and POST /oauth/authorize: a person sees who asks for what, names a key, and allows it or not.

The address holds the client's request, the form only what the person says; so both ways the request is read
and checked alike. Nothing is redirected before somebody has pressed a button: anybody may register a client,
and an address of ours that leads elsewhere by itself would lend it our name (RFC 9700 §4.11).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InsecureTransportError, UnsupportedResponseTypeError

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.api_key import PREFIX
from brskills_server.accounts.errors import (
    AccessError,
    DemoKey,
    InvalidKey,
    SignupClosed,
    SignupLimit,
    StoreUnavailable,
    TooManyGrants,
)
from brskills_server.accounts.grant import Terms
from brskills_server.accounts.grants import Grants
from brskills_server.accounts.signup import ClosedSignups, Signups
from brskills_server.skills.account.keys import sign_up
from brskills_server.web.request import LANGUAGES, Request
from brskills_server.web.response import Response
from brskills_server.web.signin import own_page, scopes
from brskills_server.web.signin.answers import AGAIN_SECONDS
from brskills_server.web.signin.introductions import Busy, Introductions
from brskills_server.web.signin.metadata import is_our_resource, resource_of
from brskills_server.web.signin.pages import Pages, Reader
from brskills_server.web.signin.parameters import read_fields, read_query
from brskills_server.web.signin.redirects import Destination, destination_of, with_parameters
from brskills_server.web.signin.server import InvalidTarget, Message, Server
from brskills_server.web.url import base_url

__all__ = ["Consent"]

_FAULTS: dict[type[AccessError], str] = {
    InvalidKey: "key",
    DemoKey: "demo_key",
    TooManyGrants: "grants",
    SignupClosed: "signup_closed",
    SignupLimit: "signup",
}
_PROXY = "The proxy in front must set X-Forwarded-Proto: https, and pass Host."


@dataclass(frozen=True, slots=True)
class _Asked:
    """A client's request that a person can be asked about."""

    parameters: Mapping[str, str]
    terms: Terms
    destination: Destination
    reader: Reader

    def back(self, **parameters: str) -> str:
        """The client's address with our answer, which names us as its issuer (RFC 9207)."""
        return _back(self.terms.redirect_uri, self.parameters.get("state"), self.reader.base, parameters)


class Consent:
    """``network``: the network that a request comes from, as sign-ups count it."""

    def __init__(
        self,
        pages: Pages,
        introductions: Introductions,
        grants: Grants,
        accounts: Accounts,
        signups: Signups | ClosedSignups,
        network: Callable[[Request], str],
    ) -> None:
        self._pages = pages
        self._introductions = introductions
        self._grants = grants
        self._accounts = accounts
        self._signups = signups
        self._network = network

    def show(self, request: Request) -> Response:
        """The page."""
        return self._about(request, self._ask)

    def decide(self, request: Request) -> Response:
        """What a person answered to it."""
        return self._about(request, self._answer)

    def _about(self, request: Request, go_on: Callable[[Request, _Asked], Response]) -> Response:
        """What comes of a request, or the page that says what is wrong with it."""
        reader = Reader(base_url(request), request.language)
        parameters: dict[str, str] = {}
        try:
            parameters = read_query(request)
            reader = Reader(reader.base, _language(parameters, request))
            return go_on(request, self._read(request, parameters, reader))
        except OAuth2Error as error:
            told = {"error": error.error, "error_description": _described(error)}
            known = error.redirect_uri
            back = _back(known, parameters.get("state"), reader.base, told) if known else ""
            if isinstance(error, InsecureTransportError):
                return self._pages.message(reader, 400, "insecure_transport", detail=_PROXY)
            reason = error.error if error.error == "invalid_client" else "request"
            return self._pages.message(
                reader, 400, reason, detail=": ".join(filter(None, told.values())), back=back
            )
        except SignupLimit as limit:
            return self._pages.message(reader, 429, "limit", retry_after=limit.retry_after)
        except (Busy, StoreUnavailable) as error:
            if isinstance(error, StoreUnavailable):
                request.report(error)
            return self._pages.message(reader, 503, "unavailable", retry_after=AGAIN_SECONDS)

    def _read(self, request: Request, parameters: dict[str, str], reader: Reader) -> _Asked:
        """The request that an address holds; raises ``OAuth2Error``, if possible with where to tell it."""
        network = self._network(request)
        server = Server(reader.base, self._grants, lambda name: self._introductions.find(name, network))
        message = Message("GET", f"{reader.base}/oauth/authorize", parameters)
        asked = server.get_consent_grant(message)
        resource = parameters.get("resource", resource_of(reader.base))
        if not is_our_resource(resource, reader.base):
            raise InvalidTarget("The resource is not one of this server's.", redirect_uri=asked.redirect_uri)
        destination = destination_of(asked.redirect_uri)
        assert destination is not None  # noqa: S101, for mypy: it is the same as one that was registered
        terms = Terms(
            client=asked.client.client,
            scopes=scopes.read(parameters.get("scope")),
            resource=resource_of(reader.base),
            redirect_uri=asked.redirect_uri,
            challenge=parameters["code_challenge"],
        )
        return _Asked(parameters, terms, destination, reader)

    def _ask(self, request: Request, asked: _Asked, *, fault: str = "", new_key: str = "") -> Response:
        base = asked.reader.base
        secret, cookie = own_page.cookie_for(own_page.secret_of(request, base), base)
        token = own_page.token_for(secret, asked.parameters)
        page = self._pages.consent(
            asked.reader, asked.terms, asked.destination, token, fault=fault, new_key=new_key
        )
        page.headers["Set-Cookie"] = cookie
        return page

    def _answer(self, request: Request, asked: _Asked) -> Response:
        said = read_fields(request)
        strange = own_page.strange_in(request, asked.reader.base, asked.parameters, said.get("token", ""))
        if strange:
            detail = f"Missing, or not of this page: {strange}."
            return self._pages.message(asked.reader, 403, "foreign", detail=detail)
        try:
            match said.get("answer"):
                case "allow":
                    return self._allow(asked, said.get("key", "").strip())
                case "new_key":
                    issued = sign_up({}, self._network(request), self._signups, self._accounts)
                    return self._ask(request, asked, new_key=issued.api_key)
                case _:
                    return _go(asked.back(error="access_denied"))
        except tuple(_FAULTS) as refused:
            return self._ask(request, asked, fault=_fault(refused, said.get("key", "").strip()))

    def _allow(self, asked: _Asked, key: str) -> Response:
        caller, _ = self._accounts.identify(key)
        return _go(asked.back(code=self._grants.open(caller, asked.terms)))


def _go(address: str) -> Response:
    """On to an address by GET, whatever was sent to us; with nothing kept, and no word of where from."""
    return Response(
        303, "", {"Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    )


def _back(address: str, state: str | None, issuer: str, parameters: Mapping[str, str]) -> str:
    told = {name: value for name, value in (*parameters.items(), ("state", state)) if value}
    return with_parameters(address, {**told, "iss": issuer})


def _fault(refused: AccessError, key: str) -> str:
    """The name of the text for it; who takes "key" for a Pix key makes another slip than who mistypes."""
    if isinstance(refused, InvalidKey) and not key.startswith(PREFIX):
        return "other"
    return _FAULTS[type(refused)]


def _described(error: OAuth2Error) -> str:
    """What is wrong, in words of ours alone: nobody puts theirs on our page."""
    if isinstance(error, UnsupportedResponseTypeError):
        return "response_type must be code."
    described: str = error.get_error_description()
    return described


def _language(parameters: Mapping[str, str], request: Request) -> str:
    """The first of ``ui_locales`` that we have, else what the browser prefers."""
    named = (tag.partition("-")[0].lower() for tag in parameters.get("ui_locales", "").split())
    return next((language for language in named if language in LANGUAGES), request.language)
