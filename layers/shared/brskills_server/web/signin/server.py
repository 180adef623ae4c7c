"""The token endpoint and revocation, by Authlib: it knows the protocol, ``access.Grants`` what is allowed."""

import logging
from collections.abc import Callable
from typing import Any

from authlib.oauth2 import OAuth2Error, OAuth2Request
from authlib.oauth2.rfc6749 import AuthorizationServer, InvalidGrantError, InvalidRequestError
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge

from brskills_server.accounts.grant import Client, Grant, Tokens
from brskills_server.accounts.grants import Grants
from brskills_server.web.response import Response, json_response
from brskills_server.web.signin import redirects, scopes
from brskills_server.web.signin.metadata import is_our_resource

__all__ = ["Asking", "InvalidTarget", "Message", "Server"]

logging.getLogger("authlib").setLevel(logging.INFO)  # what it says below that holds tokens

_CHALLENGE_LETTERS = 43
_Renew = Callable[[], Tokens | None]


class InvalidTarget(OAuth2Error):  # type: ignore[misc]
    """The resource is not ours (RFC 8707 §2)."""

    error = "invalid_target"


class Message(OAuth2Request):  # type: ignore[misc]
    """A request as Authlib reads it: its parameters, whether they came in a query or in a form."""

    def __init__(self, method: str, address: str, parameters: dict[str, str]) -> None:
        super().__init__(method, address)
        self.payload = BasicOAuth2Payload(parameters)

    @property
    def form(self) -> dict[str, str]:
        """The parameters."""
        found: dict[str, str] = self.payload.data
        return found


class Asking:
    """A client as Authlib asks it: public, for codes alone."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def check_redirect_uri(self, asked: str) -> bool:
        """True; raises ``InvalidRequestError`` for an address that is not registered, without quoting it."""
        if not any(redirects.is_same(known, asked) for known in self.client.redirect_uris):
            raise InvalidRequestError("The redirect URI is not one that the client registered.")
        return True

    def get_default_redirect_uri(self) -> None:
        """None: a client says where to."""

    def check_response_type(self, response_type: str) -> bool:
        """Codes alone."""
        return response_type == "code"

    def check_grant_type(self, _: str) -> bool:
        """Whatever the server has, a client may use."""
        return True

    def check_endpoint_auth_method(self, method: str, _: str) -> bool:
        """No client has a secret."""
        return method == "none"

    def get_allowed_scope(self, asked: str) -> str | None:
        """What of it there is; ``None`` if nothing is."""
        return scopes.as_text(scopes.read(asked)) or None


class _Allowed:
    """A grant as Authlib asks it, as what stands behind a code or a refresh token; ``renew`` makes tokens."""

    code_challenge_method = "S256"

    def __init__(self, grant: Grant, renew: _Renew, *, names_address: bool = True) -> None:
        self.grant = grant
        self.renew = renew
        self.code_challenge = grant.challenge
        self._names_address = names_address

    def get_redirect_uri(self) -> str | None:
        """The address that the code went to, where the client repeats one: OAuth 2.1 asks it no more."""
        return self.grant.redirect_uri if self._names_address else None

    def get_scope(self) -> str:
        """What was allowed."""
        return scopes.as_text(self.grant.scopes)

    def check_client(self, asking: Asking) -> bool:
        """Whether it is the client's own."""
        return self.grant.client == asking.client.id


class CodeGrant(AuthorizationCodeGrant):  # type: ignore[misc]
    """Tokens for a code. The page itself, which gives the code, is ``brskills_server.web.signin.consent``."""

    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)

    def query_authorization_code(self, code: str, asking: Asking) -> _Allowed | None:
        """The grant of an unused code of the client; a used one ends its grant."""
        grants: Grants = self.server.grants
        found = grants.find_code(code)
        if found is None or found.client != asking.client.id:
            return None
        self.server.check_resource(self.request)
        named = self.request.payload.redirect_uri is not None
        return _Allowed(found, lambda: grants.redeem(found), names_address=named)

    def authenticate_user(self, allowed: _Allowed) -> _Renew:
        """How the grant's tokens are made."""
        return allowed.renew

    def delete_authorization_code(self, allowed: _Allowed) -> None:
        """Done when the tokens were made, in one step."""


class RefreshGrant(RefreshTokenGrant):  # type: ignore[misc]
    """Further tokens for a refresh token, which is used up by it."""

    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, token: str) -> _Allowed:
        """The grant of a token that was not used; a used one ends its grant. Raises ``InvalidGrantError``."""
        grants: Grants = self.server.grants
        found = grants.find_refresh(token)
        if found is None:
            raise InvalidGrantError(
                "Unknown, ended, or used before, which ends all that was allowed: ask the person again."
            )
        self.server.check_resource(self.request)
        return _Allowed(found, lambda: grants.refresh(found, token))

    def authenticate_user(self, allowed: _Allowed) -> _Renew:
        """How the grant's tokens are made."""
        return allowed.renew

    def revoke_old_credential(self, allowed: _Allowed) -> None:
        """Done when the tokens were made, in one step."""


class S256(CodeChallenge):  # type: ignore[misc]
    """PKCE, always, and by its one method that hides the verifier."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ("S256",)

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        """Refuse a request without a challenge, or with one that is the verifier itself."""
        asked = grant.request.payload.data
        if not asked.get("code_challenge"):
            raise InvalidRequestError("code_challenge is missing: PKCE is required, by S256.")
        if asked.get("code_challenge_method") != "S256":
            raise InvalidRequestError("code_challenge_method must be S256.")
        if len(asked["code_challenge"]) != _CHALLENGE_LETTERS:
            raise InvalidRequestError("code_challenge must be a SHA-256 in base64url.")
        super().validate_code_challenge(grant, redirect_uri)


class Revoking(RevocationEndpoint):  # type: ignore[misc]
    """The end of a grant by one of its tokens (RFC 7009); a token of nobody is as one that has ended."""

    CLIENT_AUTH_METHODS = ("none",)

    def authenticate_token(self, request: Message, _: Asking) -> str:
        """The token as it is sent; a hint is not needed, for tokens tell what they are."""
        return request.form["token"]

    def revoke_token(self, token: str, request: Message) -> None:
        """End the grant of the token; raises ``InvalidGrantError`` if it is another client's (§2.1)."""
        if not self.server.grants.revoke(token, request.client.client.id):
            raise InvalidGrantError("The token is another client's.")


class Server(AuthorizationServer):  # type: ignore[misc]
    """An authorization server for one request: ``base`` is its issuer, ``find_client`` finds by id."""

    def __init__(self, base: str, grants: Grants, find_client: Callable[[str], Client | None]) -> None:
        super().__init__()
        self.base = base
        self.grants = grants
        self._find_client = find_client
        self.register_grant(CodeGrant, [S256(required=True)])
        self.register_grant(RefreshGrant)
        self.register_endpoint(Revoking)
        self.register_token_generator("default", _tokens)

    def query_client(self, client_id: str) -> Asking | None:
        """The client with an id."""
        found = self._find_client(client_id)
        return Asking(found) if found else None

    def check_resource(self, request: Message) -> None:
        """Refuse a resource that is not ours; raises ``InvalidTarget``."""
        named = request.payload.data.get("resource")
        if named is not None and not is_our_resource(named, self.base):
            raise InvalidTarget("The resource is not one of this server's.")

    def create_oauth2_request(self, request: Message) -> Message:
        """The request is one of Authlib's already."""
        return request

    def save_token(self, token: dict[str, Any], request: Message) -> None:
        """Kept when it was made, as digests."""

    def send_signal(self, name: str, *arguments: Any, **named: Any) -> None:
        """Nobody listens."""

    def handle_response(self, status: int, body: Any, headers: list[tuple[str, str]]) -> Response:
        """An answer of ours."""
        response = json_response(status, body)
        response.headers |= dict(headers)
        return response


def _tokens(user: _Renew, **_: Any) -> dict[str, Any]:
    made = user()
    if made is None:  # somebody else was faster with the same code or token
        raise InvalidGrantError("Invalid or used up.")
    return {
        "token_type": "Bearer",
        "access_token": made.access_token,
        "refresh_token": made.refresh_token,
        "expires_in": made.expires_in,
        "scope": scopes.as_text(made.grant.scopes),
    }
