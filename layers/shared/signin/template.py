"""Filling in a page: ``{{name}}`` is a value, escaped; ``{{#name}}…{{/name}}`` is there if the value is.

For a list it is there once for each of its members, which ``{{member}}`` stands for.
"""

import html
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["fill"]

_SECTION = re.compile(r"\{\{#(\w+)\}\}(.*?)\{\{/\1\}\}", re.DOTALL)
_GAP = re.compile(r"\{\{(\w+)\}\}")


def fill(source: str, values: Mapping[str, Any]) -> str:
    """The page with its values; ``KeyError`` names one that is missing.

    >>> fill("{{#who}}<b>{{member}}</b>{{/who}}{{#no}}-{{/no}}", {"who": ["<a>", "b"], "no": ""})
    '<b>&lt;a&gt;</b><b>b</b>'
    """
    # A value is put in last and once, so that what it holds is never read as a part of the page.
    with_sections = _SECTION.sub("\0", source)
    sections = iter([_section(found, values) for found in _SECTION.finditer(source)])
    pieces = (
        _GAP.sub(lambda found: html.escape(str(values[found[1]])), piece)
        for piece in with_sections.split("\0")
    )
    filled = next(pieces)
    return filled + "".join(next(sections) + piece for piece in pieces)


def _section(found: re.Match[str], values: Mapping[str, Any]) -> str:
    value = values[found[1]]
    if isinstance(value, list | tuple):
        return "".join(fill(found[2], {**values, "member": member}) for member in value)
    return fill(found[2], values) if value else ""
