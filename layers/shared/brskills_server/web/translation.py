"""The one catalogue of translated texts: Portuguese is written in the source, ``english.json`` has the English.

As with gettext, the Portuguese text is the key, and a text that the catalogue lacks stays as it is. Pages, the
consent page and the OpenAPI document use it. It is read when English is first asked for.
"""

import json
from functools import cache
from pathlib import Path

__all__ = ["english", "translate"]


def translate(text: str, language: str) -> str:
    """Return a Portuguese text in ``pt`` or ``en``."""
    return english().get(text, text) if language == "en" else text


@cache
def english() -> dict[str, str]:
    """Return the English texts by their Portuguese ones."""
    texts: dict[str, str] = json.loads(Path(__file__).with_name("english.json").read_text("utf-8"))
    return texts
