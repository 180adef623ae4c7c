"""Completion of what a person types into an argument of a prompt: municipalities and activities."""

from collections.abc import Collection
from typing import Any

from brskills_server.agents.message import INVALID_PARAMS, Message, RpcError
from brskills_server.agents.methods import Method
from brskills_server.agents.prompts import find_prompt
from brskills_server.agents.protocol_versions import Style
from brskills_server.registry.search.suggestions import Suggestions
from brskills_server.web.request import Request

_MOST = 100
"""Values of an answer; the protocol's limit."""


def completion_methods(uris: Collection[str]) -> dict[str, Method]:
    """Return the method by name. ``uris``: those of resources, none of which has a part to complete."""

    def complete(message: Message, _style: Style, _request: Request) -> dict[str, Any]:
        reference, argument = (_object(message, name) for name in ("ref", "argument"))
        name, value = argument.get("name"), argument.get("value")
        if not isinstance(name, str) or not isinstance(value, str):
            raise RpcError(INVALID_PARAMS, "argument must have a name and a value, as strings")
        match reference:
            case {"type": "ref/prompt"}:
                values, total = _suggestions(reference.get("name"), name, value)
            case {"type": "ref/resource", "uri": str(uri)} if uri in uris:
                values, total = [], 0
            case _:
                raise RpcError(INVALID_PARAMS, "Unknown ref; there are the prompts and resources listed")
        return {"completion": {"values": values, "total": total, "hasMore": total > len(values)}}

    return {"completion/complete": complete}


def _suggestions(prompt: object, name: str, value: str) -> Suggestions:
    found = {argument.name: argument for argument in find_prompt(prompt).arguments}
    if name not in found:
        raise RpcError(INVALID_PARAMS, f"Unknown argument; there are: {', '.join(found)}")
    suggest = found[name].suggest
    return suggest(value, _MOST) if suggest else ([], 0)


def _object(message: Message, name: str) -> dict[str, Any]:
    found = message.params.get(name)
    if not isinstance(found, dict):
        raise RpcError(INVALID_PARAMS, f"{name} must be an object")
    return found
