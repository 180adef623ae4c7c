"""Extensions of the protocol: the server states its own only to clients that state the same.

So hosts without an extension are answered as if there were none.
"""

from collections.abc import Collection, Mapping
from typing import Any

from brskills_server.agents.message import MISSING_CAPABILITY, Message, RpcError
from brskills_server.agents.protocol_versions import CAPABILITIES_KEY, Style

SKILLS = "io.modelcontextprotocol/skills"
UI = "io.modelcontextprotocol/ui"
TASKS = "io.modelcontextprotocol/tasks"
EXTENSIONS: Mapping[str, dict[str, Any]] = {SKILLS: {}, UI: {}, TASKS: {}}
"""The server's extensions by identifier, with their settings."""

RUN_ROUTE = ("TASK", "/mcp")
"""Method and path of the events that run tasks, which no client can send."""

TASK_METHODS = ("tasks/get", "tasks/update", "tasks/cancel")

_OF_ENVELOPES = {TASKS}
"""Those that a client states with each request, so that the older style cannot have them."""

_CAPABILITIES: Mapping[str, Any] = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}


def stated_extensions(message: Message) -> Mapping[str, Any]:
    """Return the extensions that a client states in this message or ``initialize``, with their settings."""
    capabilities = message.meta.get(CAPABILITIES_KEY, message.params.get("capabilities"))
    if capabilities is None:
        return message.session
    extensions = capabilities.get("extensions") if isinstance(capabilities, dict) else None
    return extensions if isinstance(extensions, dict) else {}


def has_tasks(message: Message, style: Style) -> bool:
    """Whether the client that sent the message can be answered by a task."""
    return style is Style.ENVELOPE and TASKS in stated_extensions(message)


def require_tasks(message: Message) -> None:
    """Raise ``RpcError`` if the client does not state that it knows tasks."""
    if TASKS not in stated_extensions(message):
        required: dict[str, Any] = {"extensions": {TASKS: {}}}
        raise RpcError(
            MISSING_CAPABILITY, "Missing required client capability", requiredCapabilities=required
        )


def capabilities_for(message: Message, style: Style, without: Collection[str]) -> dict[str, Any]:
    """Return the server's capabilities for the client that sent the message.

    ``without``: extensions that this deployment does not have.
    """
    stated = stated_extensions(message).keys() - (_OF_ENVELOPES if style is Style.HANDSHAKE else set())
    stated -= set(without)
    extensions = {name: settings for name, settings in EXTENSIONS.items() if name in stated}
    return {**_CAPABILITIES, **({"extensions": extensions} if extensions else {})}
