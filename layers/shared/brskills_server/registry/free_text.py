"""Cleaning of free texts: CPFs are masked, and invisible characters, which can hide a second text, removed.

>>> clean_text("PADARIA\u200b  S\u00c3O\u202e JO\u00c3O 111\u2013444\u2013777\u201335")
'PADARIA SÃO JOÃO ***444777**'
"""

import re
import unicodedata

from brskills_server.registry.privacy import hide_cpfs

_REMOVED = frozenset(("Cf", "Cs", "Co", "Cn"))
_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Unicode's default-ignorable letters and marks; all other such characters are in the categories above."""

_BLANK_PATTERN = "\u2800"  # of Braille: no dot, and for Unicode no white space


class _Visible(dict[int, int | str]):
    """A table for ``str.translate`` without entries: few of a million characters need it."""

    def __missing__(self, code: int) -> int | str:
        char = chr(code)
        if unicodedata.category(char) == "Cc" or char == _BLANK_PATTERN:
            return " "
        return "" if _is_removed(char) else code


_VISIBLE = _Visible()


def clean_text(text: str) -> str | None:
    """Return a text's visible part with its CPFs masked; ``None`` where blanks or asterisks are left."""
    text = visible_text(text)
    return hide_cpfs(text) if text.strip("*") else None


def visible_text(text: str) -> str:
    """Return the text without invisible characters; white space and controls become single blanks."""
    if not _is_visible(text):
        text = text.translate(_VISIBLE)
    return " ".join(text.split())


def escape_invisible(json_text: str) -> str:
    r"""Return the same JSON with every invisible character escaped as ``\uXXXX``."""
    if _is_visible(json_text):
        return json_text
    return "".join(c if _is_visible(c) else _escaped(c) for c in json_text)


def _is_visible(text: str) -> bool:
    """Return whether all characters are visible; ``isprintable`` is false for every other blank."""
    return text.isprintable() and (text.isascii() or not (_IGNORABLE.search(text) or _BLANK_PATTERN in text))


def _is_removed(char: str) -> bool:
    return unicodedata.category(char) in _REMOVED or _IGNORABLE.match(char) is not None


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
