"""Token endpoint and revocation by Authlib; hooks that would store are empty, as ``Grants`` has stored it."""

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

logging.getLogger("authlib").setLevel(logging.INFO)  # it logs tokens at DEBUG

_CHALLENGE_LETTERS = 43
_IssueTokens = Callable[[], Tokens | None]


class InvalidTarget(OAuth2Error):  # type: ignore[misc]
    """A resource of another server (RFC 8707 §2)."""

    error = "invalid_target"


class Message(OAuth2Request):  # type: ignore[misc]
    """A request with parameters from a query or a form."""

    def __init__(self, method: str, address: str, parameters: dict[str, str]) -> None:
        super().__init__(method, address)
        self.payload = BasicOAuth2Payload(parameters)

    @property
    def form(self) -> dict[str, str]:
        return dict(self.payload.data)


class _PublicClient:
    """A client in Authlib's interface (``ClientMixin``): public, for codes alone."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def check_redirect_uri(self, requested: str) -> bool:
        """Return true. Raise ``InvalidRequestError`` without the address if it is not registered."""
        if not any(redirects.is_same(known, requested) for known in self.client.redirect_uris):
            raise InvalidRequestError("The redirect URI is not one that the client registered.")
        return True

    def get_default_redirect_uri(self) -> None:
        """Return none: the parameter is required."""

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, _: str) -> bool:
        return True

    def check_endpoint_auth_method(self, method: str, _: str) -> bool:
        return method == "none"

    def get_allowed_scope(self, requested: str) -> str | None:
        return scopes.as_text(scopes.read(requested)) or None


class _Credential:
    """The grant of a code or refresh token in Authlib's interface."""

    code_challenge_method = "S256"

    def __init__(self, grant: Grant, issue: _IssueTokens, *, redirect_uri: str | None = None) -> None:
        self.grant = grant
        self.issue = issue
        self.code_challenge = grant.challenge
        self._redirect_uri = redirect_uri

    def get_redirect_uri(self) -> str | None:
        """Return the address that the request must repeat; OAuth 2.1 no longer requires it."""
        return self._redirect_uri

    def get_scope(self) -> str:
        return scopes.as_text(self.grant.scopes)

    def check_client(self, client: _PublicClient) -> bool:
        return self.grant.client == client.client.id


class _PublicGrant:
    """What both grant types have in common."""

    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)

    def authenticate_user(self, credential: _Credential) -> _IssueTokens:
        """Return what issues the tokens, which Authlib passes to the token generator."""
        return credential.issue


class _CodeGrant(_PublicGrant, AuthorizationCodeGrant):  # type: ignore[misc]
    """Tokens for a code; ``consent`` issues the code."""

    def query_authorization_code(self, code: str, client: _PublicClient) -> _Credential | None:
        """Return the client's grant of an unused code; a used code ends its grant."""
        grants: Grants = self.server.grants
        grant = grants.find_code(code)
        if grant is None or grant.client != client.client.id:
            return None
        self.server.check_resource(self.request)
        is_repeated = self.request.payload.redirect_uri is not None
        return _Credential(
            grant, lambda: grants.redeem(grant), redirect_uri=grant.redirect_uri if is_repeated else None
        )

    def delete_authorization_code(self, credential: _Credential) -> None:
        """Do nothing: issuing the tokens has used up the code."""


class _RefreshGrant(_PublicGrant, RefreshTokenGrant):  # type: ignore[misc]
    """New tokens for a refresh token, with rotation."""

    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, token: str) -> _Credential:
        """Return the grant of an unused token; a used one ends its grant. Raise ``InvalidGrantError``."""
        grants: Grants = self.server.grants
        grant = grants.find_refresh(token)
        if grant is None:
            raise InvalidGrantError(
                "Unknown, ended, or used before, which ends all that was allowed: ask the person again."
            )
        self.server.check_resource(self.request)
        return _Credential(grant, lambda: grants.refresh(grant, token))

    def revoke_old_credential(self, credential: _Credential) -> None:
        """Do nothing: issuing the tokens has used up the former one."""


class _RequiredS256(CodeChallenge):  # type: ignore[misc]
    """PKCE, required, by S256 alone; Authlib's allows requests without a challenge."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ("S256",)

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        """Raise ``InvalidRequestError`` for a missing challenge, another method or length."""
        parameters = grant.request.payload.data
        if not parameters.get("code_challenge"):
            raise InvalidRequestError("code_challenge is missing: PKCE is required, by S256.")
        if parameters.get("code_challenge_method") != "S256":
            raise InvalidRequestError("code_challenge_method must be S256.")
        if len(parameters["code_challenge"]) != _CHALLENGE_LETTERS:
            raise InvalidRequestError("code_challenge must be a SHA-256 in base64url.")
        super().validate_code_challenge(grant, redirect_uri)


class _Revocation(RevocationEndpoint):  # type: ignore[misc]
    """Revocation of a grant by one of its tokens (RFC 7009). An unknown token is treated as revoked."""

    CLIENT_AUTH_METHODS = ("none",)

    def authenticate_token(self, request: Message, _: _PublicClient) -> str:
        """Return the token; a token's form states its kind, so that no hint is needed."""
        return request.form["token"]

    def revoke_token(self, token: str, request: Message) -> None:
        """End the token's grant. Raise ``InvalidGrantError`` if it is another client's (§2.1)."""
        if not self.server.grants.revoke(token, request.client.client.id):
            raise InvalidGrantError("The token is another client's.")


class Server(AuthorizationServer):  # type: ignore[misc]
    """An authorization server for one request. ``base``: the issuer; ``find_client``: lookup by id."""

    def __init__(self, base: str, grants: Grants, find_client: Callable[[str], Client | None]) -> None:
        super().__init__()
        self.base = base
        self.grants = grants
        self._find_client = find_client
        self.register_grant(_CodeGrant, [_RequiredS256(required=True)])
        self.register_grant(_RefreshGrant)
        self.register_endpoint(_Revocation)
        self.register_token_generator("default", _issue)

    def query_client(self, client_id: str) -> _PublicClient | None:
        client = self._find_client(client_id)
        return _PublicClient(client) if client else None

    def check_resource(self, request: Message) -> None:
        """Raise ``InvalidTarget`` for a resource of another server."""
        resource = request.payload.data.get("resource")
        if resource is not None and not is_our_resource(resource, self.base):
            raise InvalidTarget("The resource is not one of this server's.")

    def create_oauth2_request(self, request: Message) -> Message:
        return request

    def save_token(self, token: dict[str, Any], request: Message) -> None:
        """Do nothing: issuing tokens stores their digests."""

    def send_signal(self, name: str, *arguments: Any, **named: Any) -> None:
        """Do nothing: signals have no listeners."""

    def handle_response(self, status: int, body: Any, headers: list[tuple[str, str]]) -> Response:
        response = json_response(status, body)
        response.headers |= dict(headers)
        return response


def _issue(user: _IssueTokens, **_: Any) -> dict[str, Any]:
    tokens = user()
    if tokens is None:  # a concurrent request has used the same code or token
        raise InvalidGrantError("Invalid or used up.")
    return {
        "token_type": "Bearer",
        "access_token": tokens.access_token,
        "refresh_token": tokens.refresh_token,
        "expires_in": tokens.expires_in,
        "scope": scopes.as_text(tokens.grant.scopes),
    }
