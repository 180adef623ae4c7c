"""The code blocks of a Markdown file, and the comparison of an answer with the one that a guide shows."""

import re
from pathlib import Path
from typing import Any, NamedTuple

LEFT_OUT = "…"
_BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^>]+) -->\n+)?^```(?P<language>\w*)\n(?P<content>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A fenced block; ``reason``: why it is not run; ``follows``: directly after another one."""

    language: str
    content: str
    line: int
    reason: str | None
    follows: bool


def blocks_of(document: Path) -> list[Block]:
    """Return the fenced blocks of a document, in order."""
    text = document.read_text("utf-8")
    blocks: list[Block] = []
    end = -1
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        follows = end >= 0 and not text[end : found.start()].strip()
        blocks.append(Block(found["language"], found["content"], line, found["reason"], follows))
        end = found.end()
    return blocks


def agrees(shown: Any, answered: Any) -> bool:
    """Whether an answer is as shown; ``…`` as a value, a member or an item means anything."""
    if shown == LEFT_OUT:
        return True
    if isinstance(shown, str) and LEFT_OUT in shown and isinstance(answered, str):
        return re.fullmatch(re.escape(shown).replace(LEFT_OUT, ".*"), answered, re.DOTALL) is not None
    if isinstance(shown, dict) and isinstance(answered, dict):
        named = shown.keys() - {LEFT_OUT}
        complete = LEFT_OUT in shown or named == answered.keys()
        return complete and all(name in answered and agrees(shown[name], answered[name]) for name in named)
    if isinstance(shown, list) and isinstance(answered, list):
        if LEFT_OUT not in shown:
            return len(shown) == len(answered) and all(map(agrees, shown, answered))
        left_out = shown.index(LEFT_OUT)
        first, last = shown[:left_out], shown[left_out + 1 :]
        rest = answered[len(answered) - len(last) :]
        fits = len(first) + len(last) <= len(answered)
        return fits and all(map(agrees, first, answered)) and all(map(agrees, last, rest))
    return type(shown) is type(answered) and shown == answered
