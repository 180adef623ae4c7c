"""The part of the page's style sheets that a card needs."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
_RULE = re.compile(r"^([^\s@{}][^{}]*?) \{([^{}]*)\}$", re.MULTILINE)
_COLOURS = re.compile(r":root \{(.*?)\}", re.DOTALL)
_COLOUR = re.compile(r"(--[\w-]+): ([^;]+);")
_NAMES = re.compile(r"(?<![\w:[=\"-])[.#]?([a-zA-Z][\w-]*)(?!\()")


def styles(paths: Sequence[Path], words: Collection[str]) -> str:
    """Return rules whose elements, classes and ids are all in ``words``, and the colours of the first sheet.

    Rules inside of ``@media`` are left out: a card is as narrow as a phone. Each colour has its dark form
    beside it, so that ``color-scheme`` alone chooses.
    """
    sheets = [_COMMENT.sub("", path.read_text("utf-8")) for path in paths]
    rules = [
        f"{', '.join(used)} {{{body}}}"
        for sheet in sheets
        for selectors, body in _RULE.findall(sheet)
        if selectors != ":root" and (used := [part for part in _parts(selectors) if _is_used(part, words)])
    ]
    return "\n".join([_colours(sheets[0]), *rules])


def _parts(selectors: str) -> list[str]:
    return re.split(r",\s*(?![^()]*\))", selectors)


def _is_used(selector: str, words: Collection[str]) -> bool:
    return all(name in words for name in _NAMES.findall(selector))


def _colours(sheet: str) -> str:
    light, dark = (dict(_COLOUR.findall(block)) for block in _COLOURS.findall(sheet))
    both = [
        f"  {name}: {f'light-dark({value}, {dark[name]})' if name in dark else value};"
        for name, value in light.items()
    ]
    return "\n".join([":root {", "  color-scheme: light dark;", *both, "}"])
