"""Documents that a client reads by their URI, and the protocol's methods on them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from brskills_server.agents.message import INVALID_PARAMS, RESOURCE_NOT_FOUND, Message, RpcError
from brskills_server.agents.methods import Method, check_page, public
from brskills_server.agents.protocol_versions import Style
from brskills_server.web.request import Request


@dataclass(frozen=True, slots=True)
class Resource:
    """One document. ``read``: the service's address → its text. ``meta``: its ``_meta``, listed and read."""

    uri: str
    name: str
    title: str
    description: str
    mime_type: str
    read: Callable[[str], str]
    meta: Mapping[str, Any] = field(default_factory=dict)

    def listed(self) -> dict[str, Any]:
        """Return the protocol's ``Resource``."""
        named = {"name": self.name, "title": self.title, "description": self.description}
        return {"uri": self.uri, **named, "mimeType": self.mime_type, **self._meta()}

    def contents(self, base: str) -> dict[str, Any]:
        """Return the protocol's ``TextResourceContents``."""
        return {"uri": self.uri, "mimeType": self.mime_type, "text": self.read(base), **self._meta()}

    def _meta(self) -> dict[str, Any]:
        return {"_meta": dict(self.meta)} if self.meta else {}


class Resources:
    """The resources of a server, in the order of its list."""

    def __init__(self, resources: Iterable[Resource]) -> None:
        self._resources = {resource.uri: resource for resource in resources}

    def methods(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {
            "resources/list": self._list,
            "resources/templates/list": self._list_templates,
            "resources/read": self._read,
        }

    def _list(self, message: Message, style: Style, _request: Request) -> dict[str, Any]:
        check_page(message)
        return public({"resources": [resource.listed() for resource in self._resources.values()]}, style)

    def _list_templates(self, message: Message, style: Style, _request: Request) -> dict[str, Any]:
        check_page(message)
        return public({"resourceTemplates": []}, style)

    def _read(self, message: Message, style: Style, request: Request) -> dict[str, Any]:
        uri = message.params.get("uri")
        if not isinstance(uri, str):
            raise RpcError(INVALID_PARAMS, "uri must be a string")
        if uri not in self._resources:
            # Revision 2026-07-28 retired the older code.
            code = RESOURCE_NOT_FOUND if style is Style.HANDSHAKE else INVALID_PARAMS
            raise RpcError(code, "Unknown resource; resources/list has them", uri=uri)
        return public({"contents": [self._resources[uri].contents(request.base_url)]}, style)
