"""The texts of the OpenAPI document in the caller's language."""

from typing import Any

from brskills_server.web.translation import translate

Text = str | tuple[str, ...]
"""A text, or parts that are translated one by one and joined by a space."""

_TEXTS = {"summary", "description"}


def translated(part: Any, language: str) -> Any:
    """Return a part of the document with each of its texts as one string, in ``pt`` or ``en``.

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
