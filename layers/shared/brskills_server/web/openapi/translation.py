"""The document's texts in the caller's language: Portuguese as they are written, English by a catalogue.

``english.json`` gives each Portuguese text its English one, as gettext does. It is read when English is first
asked for. What it does not know stays as it is: codes, and the texts of custom skills.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["Text", "translated"]

Text = str | tuple[str, ...]
"""A text, or its parts: each is translated by itself, and a space stands between them."""

_TEXTS = {"summary", "description"}


def translated(part: Any, language: str) -> Any:
    """A part of the document with each of its texts in one piece, in ``pt`` or ``en``."""
    return _translated(part, _english() if language == "en" else {})


@cache
def _english() -> Mapping[str, str]:
    """English texts by Portuguese ones."""
    path = Path(__file__).with_name("english.json")
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts


def _translated(part: Any, texts: Mapping[str, str]) -> Any:
    if isinstance(part, list):
        return [_translated(each, texts) for each in part]
    if not isinstance(part, dict):
        return part
    return {name: _member(name, value, texts) for name, value in part.items()}


def _member(name: str, value: Any, texts: Mapping[str, str]) -> Any:
    if name in _TEXTS and isinstance(value, (str, tuple)):
        return _in_one_piece(value, texts)
    if name == "tags" and isinstance(value, list):
        return [_tag(tag, texts) for tag in value]
    return _translated(value, texts)


def _tag(tag: str | dict[str, str], texts: Mapping[str, str]) -> str | dict[str, str]:
    """A tag, or an operation's name of one."""
    if isinstance(tag, str):
        return texts.get(tag, tag)
    return {name: texts.get(text, text) for name, text in tag.items()}


def _in_one_piece(text: Text, texts: Mapping[str, str]) -> str:
    parts = (text,) if isinstance(text, str) else text
    return " ".join(texts.get(each, each) for each in parts if each)
