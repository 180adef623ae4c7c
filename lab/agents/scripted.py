"""A model that follows a script, for tests of the checks: it reads nothing but what its answer quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from lab.agents.model import Json, ModelError, Reply, ToolCall


class Use(NamedTuple):
    """A turn that calls one tool."""

    tool: str
    arguments: Json


Script = tuple[Use | str, ...]
"""Turns of a model; the last one is an answer, in which ``{brcode}`` is a member of the last result."""


class Mistake(NamedTuple):
    """A wrong script of a task, and the names of the rules that it breaks."""

    what: str
    script: Script
    breaks: frozenset[str]


def use(tool: str, **arguments: Any) -> Use:
    """Return a turn that calls a tool."""
    return Use(tool, arguments)


def mistake(what: str, *script: Use | str, breaks: set[str]) -> Mistake:
    """Return a wrong script."""
    return Mistake(what, script, frozenset(breaks))


@dataclass(frozen=True)
class ScriptedModel:
    """A model that follows a script."""

    script: Script

    def complete(self, messages: Sequence[Json], tools: Sequence[Json]) -> Reply:
        """Return the next turn. Raise ``ModelError`` if there is none, or for a tool that is not offered."""
        done = sum(message["role"] == "assistant" for message in messages)
        if done == len(self.script):
            raise ModelError("the script has no more turns")
        turn = self.script[done]
        if isinstance(turn, str):
            return Reply(_filled_in(turn, messages))
        if turn.tool not in {tool["function"]["name"] for tool in tools}:
            raise ModelError(f"no tool {turn.tool}")
        return Reply("", (ToolCall(f"call_{done}", turn.tool, json.dumps(turn.arguments)),))


def _filled_in(text: str, messages: Sequence[Json]) -> str:
    def member(found: re.Match[str]) -> str:
        return str(json.loads(messages[-1]["content"].partition("\n")[0])[found[1]])

    return re.sub(r"\{(\w+)\}", member, text)
