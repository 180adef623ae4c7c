"""What clients read before they sign in: the resource (RFC 9728) and its authorization server (RFC 8414).

All addresses are those under which we are reached: ``base`` is the issuer. The operator's own pages are
named where there are any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brskills_server.web.signin import scopes

if TYPE_CHECKING:
    from brskills_server.runtime.settings import Settings

__all__ = [
    "RESOURCE",
    "asking_resource_metadata",
    "is_our_resource",
    "resource_metadata",
    "resource_of",
    "server_metadata",
]

RESOURCE = "/mcp"
"""The one protected resource, below ``{base}``."""

ASKING_RESOURCE = "/mcp/oauth"
"""The same where it asks whoever comes to sign in. Some clients insist on the very address they came to."""


def resource_of(base: str) -> str:
    """The resource's identifier, which a client names as ``resource`` (RFC 8707)."""
    return base + RESOURCE


def is_our_resource(named: str, base: str) -> bool:
    """Whether a client means our resource: by its identifier, or by what it stands below."""
    return named.removesuffix("/") in {base, resource_of(base), base + ASKING_RESOURCE}


def resource_metadata(base: str, settings: Settings) -> dict[str, Any]:
    """What is known of ``/mcp``."""
    return {
        "resource": resource_of(base),
        "authorization_servers": [base],
        "scopes_supported": scopes.as_text(scopes.ALL).split(),
        "bearer_methods_supported": ["header"],
        "resource_name": "brskills: Pix e CNPJ",
        "resource_documentation": settings.project_url,
        **_named(resource_policy_uri=settings.privacy_url, resource_tos_uri=settings.terms_url),
    }


def asking_resource_metadata(base: str, settings: Settings) -> dict[str, Any]:
    """What is known of ``/mcp/oauth``: all the same, by its own name."""
    return {**resource_metadata(base, settings), "resource": base + ASKING_RESOURCE}


def server_metadata(base: str, settings: Settings) -> dict[str, Any]:
    """What is known of the authorization server."""
    return {
        "issuer": base,
        "authorization_endpoint": f"{base}/oauth/authorize",
        "token_endpoint": f"{base}/oauth/token",
        "revocation_endpoint": f"{base}/oauth/revoke",
        "registration_endpoint": f"{base}/oauth/register",
        "scopes_supported": scopes.as_text(scopes.ALL).split(),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
        "resource_indicators_supported": True,
        "protected_resources": [resource_of(base), base + ASKING_RESOURCE],
        "ui_locales_supported": ["pt-BR", "en"],
        "service_documentation": settings.project_url,
        **_named(op_policy_uri=settings.privacy_url, op_tos_uri=settings.terms_url),
    }


def _named(**pages: str) -> dict[str, str]:
    return {name: page for name, page in pages.items() if page}
