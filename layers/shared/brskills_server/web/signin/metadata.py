"""Metadata for clients: the protected resource (RFC 9728) and its authorization server (RFC 8414)."""

from typing import Any

from brskills_server.runtime.settings import Settings
from brskills_server.web.signin import scopes

_RESOURCE = "/mcp"
_ASKING_RESOURCE = "/mcp/oauth"
"""The same resource where every connection must sign in. Some clients compare its name with the address."""


def resource_of(base: str) -> str:
    """Return the resource's identifier (RFC 8707). ``base`` is the address of the service and the issuer."""
    return base + _RESOURCE


def is_our_resource(resource: str, base: str) -> bool:
    """Return whether a ``resource`` parameter names our resource or the service itself."""
    return resource.removesuffix("/") in {base, resource_of(base), base + _ASKING_RESOURCE}


def resource_metadata(base: str, settings: Settings) -> dict[str, Any]:
    """Return the metadata of ``/mcp``."""
    return {
        "resource": resource_of(base),
        "authorization_servers": [base],
        "scopes_supported": scopes.as_text(scopes.ALL).split(),
        "bearer_methods_supported": ["header"],
        "resource_name": "brskills: Pix e CNPJ",
        "resource_documentation": settings.project_url,
        **_known(resource_policy_uri=settings.privacy_url, resource_tos_uri=settings.terms_url),
    }


def asking_resource_metadata(base: str, settings: Settings) -> dict[str, Any]:
    """Return the metadata of ``/mcp/oauth``."""
    return {**resource_metadata(base, settings), "resource": base + _ASKING_RESOURCE}


def server_metadata(base: str, settings: Settings) -> dict[str, Any]:
    """Return the metadata of the authorization server."""
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
        "protected_resources": [resource_of(base), base + _ASKING_RESOURCE],
        "ui_locales_supported": ["pt-BR", "en"],
        "service_documentation": settings.project_url,
        **_known(op_policy_uri=settings.privacy_url, op_tos_uri=settings.terms_url),
    }


def _known(**pages: str) -> dict[str, str]:
    return {name: page for name, page in pages.items() if page}
