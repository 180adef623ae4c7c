"""The tools as each maker's API wants them in its ``tools`` member."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from agents.schema import flat_schema
from agents.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.tools import Tool

__all__ = ["FORMATS", "tools_as"]


def _openai(tool: Tool) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": flat_schema(tool.arguments),
    }
    return {"type": "function", "function": function}


def _anthropic(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": flat_schema(tool.arguments),
    }


def _gemini(tool: Tool) -> dict[str, Any]:
    # Gemini reads a subset of OpenAPI's schema and refuses words it does not know.
    schema = flat_schema(tool.arguments)
    del schema["additionalProperties"]
    for field in schema["properties"].values():
        field.pop("examples", None)
    return {"name": tool.name, "description": tool.description, "parameters": schema}


def _mcp(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": flat_schema(tool.arguments),
        "annotations": {
            "title": tool.title,
            "readOnlyHint": True,
            "idempotentHint": True,
            "destructiveHint": False,
            "openWorldHint": tool.open_world,
        },
    }


_WRITERS: dict[str, Callable[[Tool], dict[str, Any]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "mcp": _mcp,
}
FORMATS = tuple(_WRITERS)


@cache
def tools_as(form: str) -> list[dict[str, Any]]:
    """The value for ``tools`` in one of :data:`FORMATS`; KeyError for another."""
    tools = [_WRITERS[form](tool) for tool in TOOLS.values()]
    return [{"functionDeclarations": tools}] if form == "gemini" else tools
