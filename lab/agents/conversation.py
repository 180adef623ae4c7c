"""A person's request, a model, and the tools that it calls until it answers."""

from __future__ import annotations

import json
from typing import NamedTuple

from lab.agents.model import Json, Model, ToolCall
from lab.agents.tools import Result, Tools

MOST_TURNS = 8
_HOST = (
    "Você ajuda uma pessoa no trabalho dela, em português. Use as ferramentas quando elas ajudam; responda "
    "só o que sabe delas. O servidor das ferramentas diz: "
)


class Called(NamedTuple):
    """A call that a model made: its arguments, empty where they were no object, and the data that it got."""

    tool: str
    arguments: Json
    data: Json


class Run(NamedTuple):
    """What a model did with a request; ``answer`` is empty if it never ended."""

    calls: tuple[Called, ...]
    answer: str


def converse(model: Model, tools: Tools, request: str) -> Run:
    """Return what a model does with a request. Raise ``ModelError``."""
    offered, calls = tools.list(), list[Called]()
    messages: list[Json] = [
        {"role": "system", "content": _HOST + tools.instructions()},
        {"role": "user", "content": request},
    ]
    for _ in range(MOST_TURNS):
        reply = model.complete(messages, offered)
        if not reply.calls:
            return Run(tuple(calls), reply.text)
        messages.append(_said(reply.text, reply.calls))
        for call in reply.calls:
            arguments, result = _perform(tools, call)
            calls.append(Called(call.name, arguments, result.data))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result.text})
    return Run(tuple(calls), "")


def _said(text: str, calls: tuple[ToolCall, ...]) -> Json:
    asked = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in calls
    ]
    return {"role": "assistant", "content": text or None, "tool_calls": asked}


def _perform(tools: Tools, call: ToolCall) -> tuple[Json, Result]:
    try:
        arguments = json.loads(call.arguments or "{}")
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        return {}, Result("The arguments must be a JSON object.", {})
    return arguments, tools.call(call.name, arguments)
