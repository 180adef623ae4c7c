"""The catalogue of English texts by their Portuguese ones, for pages, consent and the OpenAPI document."""

import json
from functools import cache
from pathlib import Path
from typing import Any

Text = str | tuple[str, ...]
"""A text, or parts that are translated one by one and joined by a space."""

_TEXTS = {"summary", "description"}


def translate(text: str, language: str) -> str:
    """Return a Portuguese text in ``pt`` or ``en``; one that the catalogue lacks stays as it is."""
    return english().get(text, text) if language == "en" else text


@cache
def english() -> dict[str, str]:
    """Return the English texts by their Portuguese ones."""
    texts: dict[str, str] = json.loads(Path(__file__).with_name("english.json").read_text("utf-8"))
    return texts


def translated(part: Any, language: str) -> Any:
    """Return a part of the OpenAPI document with each of its texts as one string, in ``pt`` or ``en``.

    Codes and the texts of custom skills, which the catalogue lacks, stay as they are.
    """
    if isinstance(part, list):
        return [translated(each, language) for each in part]
    if not isinstance(part, dict):
        return part
    return {name: _member(name, value, language) for name, value in part.items()}


def _member(name: str, value: Any, language: str) -> Any:
    if name in _TEXTS and isinstance(value, (str, tuple)):
        parts = (value,) if isinstance(value, str) else value
        return " ".join(translate(each, language) for each in parts if each)
    if name == "tags" and isinstance(value, list):
        return [_tag(tag, language) for tag in value]
    return translated(value, language)


def _tag(tag: str | dict[str, str], language: str) -> str | dict[str, str]:
    """Translate the name of an operation's tag, or a tag of the document."""
    if isinstance(tag, str):
        return translate(tag, language)
    return {name: translate(text, language) for name, text in tag.items()}
