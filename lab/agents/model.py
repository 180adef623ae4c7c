"""What a language model is to an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

Json = dict[str, Any]


class ToolCall(NamedTuple):
    """A call that a model asks for; ``arguments`` is the text that it wrote, JSON or not."""

    id: str
    name: str
    arguments: str


class Reply(NamedTuple):
    """A model's turn: its message, which is the answer if there are no calls."""

    text: str
    calls: tuple[ToolCall, ...] = ()


class Model(Protocol):
    """A language model that may call tools."""

    def complete(self, messages: Sequence[Json], tools: Sequence[Json]) -> Reply:
        """Return the next turn. Messages and tools are those of chat completions.

        Raise ``ModelError`` if there is none.
        """


class ModelError(Exception):
    """A model that gave no answer, and why."""
