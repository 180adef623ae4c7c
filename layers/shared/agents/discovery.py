"""How others find the MCP server: the registry's ``server.json``, the server card and the catalogue.

Sources: MCP registry schema 2025-12-11; SEP-2127 (server cards, schema v2); AI Catalog 1.0.
"""

from typing import Any
from urllib.parse import urlsplit

from agents.protocol_versions import HANDSHAKE_VERSIONS, VERSIONS
from wiring.settings import VERSION

__all__ = ["ai_catalog", "server_card", "server_json"]

_SCHEMAS = "https://static.modelcontextprotocol.io/schemas"
_TITLE = "brskills: Pix e CNPJ"
_KEY_HEADER = {
    "name": "X-API-Key",
    "description": "A key of POST /api/v1/keys, free and at once. Listing tools works without.",
    "isRequired": False,
    "isSecret": True,
}


def server_json(base: str, project_url: str) -> dict[str, Any]:
    """What the MCP registry lists."""
    return {
        "$schema": f"{_SCHEMAS}/2025-12-11/server.schema.json",
        **_identity(project_url),
        "remotes": [_remote(base)],
    }


def server_card(base: str, project_url: str) -> dict[str, Any]:
    """What a client reads before it connects."""
    remote = {**_remote(base), "supportedProtocolVersions": [*HANDSHAKE_VERSIONS, *VERSIONS]}
    return {
        "$schema": f"{_SCHEMAS}/v2/server-card.schema.json",
        **_identity(project_url),
        "remotes": [remote],
    }


def ai_catalog(base: str) -> dict[str, Any]:
    """What this host offers to agents, and where each thing is described."""
    host = urlsplit(base).hostname or "localhost"
    return {
        "specVersion": "1.0",
        "entries": [
            {
                "identifier": f"urn:air:{host}:brskills",
                "displayName": _TITLE,
                "type": "application/mcp-server-card+json",
                "url": f"{base}/mcp/server-card",
            },
            {
                "identifier": f"urn:air:{host}:brskills:http",
                "displayName": f"{_TITLE} (HTTP)",
                "type": "application/vnd.oai.openapi+json;version=3.1",
                "url": f"{base}/api/v1/openapi.json",
            },
        ],
    }


def _identity(project_url: str) -> dict[str, Any]:
    return {
        "name": "io.github.brskills/brskills",
        "title": _TITLE,
        "description": "Pix payment codes (create, read, check) and Brazilian company records by CNPJ.",
        "version": VERSION,
        "websiteUrl": project_url,
        "repository": {"url": project_url, "source": "github"},
    }


def _remote(base: str) -> dict[str, Any]:
    return {"type": "streamable-http", "url": f"{base}/mcp", "headers": [_KEY_HEADER]}
