"""Extensions of the protocol: the server states its own only to clients that state the same.

So hosts without an extension are answered as if there were none.
"""

from collections.abc import Collection, Mapping
from typing import Any

from brskills_server.agents.message import Message
from brskills_server.agents.protocol_versions import CAPABILITIES_KEY

SKILLS = "io.modelcontextprotocol/skills"
UI = "io.modelcontextprotocol/ui"
EXTENSIONS: Mapping[str, dict[str, Any]] = {SKILLS: {}, UI: {}}
"""The server's extensions by identifier, with their settings."""

_CAPABILITIES: Mapping[str, Any] = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}


def stated_extensions(message: Message) -> Mapping[str, Any]:
    """Return the extensions that a client states in this message or ``initialize``, with their settings."""
    capabilities = message.meta.get(CAPABILITIES_KEY, message.params.get("capabilities"))
    if capabilities is None:
        return message.session
    extensions = capabilities.get("extensions") if isinstance(capabilities, dict) else None
    return extensions if isinstance(extensions, dict) else {}


def capabilities_for(message: Message, without: Collection[str]) -> dict[str, Any]:
    """Return the server's capabilities for the client that sent the message.

    ``without``: extensions that this deployment does not have.
    """
    stated = stated_extensions(message).keys() - set(without)
    extensions = {name: settings for name, settings in EXTENSIONS.items() if name in stated}
    return {**_CAPABILITIES, **({"extensions": extensions} if extensions else {})}
