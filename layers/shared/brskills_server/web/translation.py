"""The catalogue of English texts by their Portuguese ones, for pages, consent and the OpenAPI document."""

import json
from functools import cache
from pathlib import Path


def translate(text: str, language: str) -> str:
    """Return a Portuguese text in ``pt`` or ``en``; one that the catalogue lacks stays as it is."""
    return english().get(text, text) if language == "en" else text


@cache
def english() -> dict[str, str]:
    """Return the English texts by their Portuguese ones."""
    texts: dict[str, str] = json.loads(Path(__file__).with_name("english.json").read_text("utf-8"))
    return texts
