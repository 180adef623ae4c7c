"""No regular expression of the source can be made to backtrack without end, as regexploit judges."""

from __future__ import annotations

import ast
import importlib
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.for_each import for_each

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of sre_parse, which it reads patterns with
    from regexploit.ast.sre import SreOpParser
    from regexploit.languages.python_node_visitor import PythonNodeVisitor
    from regexploit.redos import find

ROOT = Path(__file__).parents[3]
CUBIC = 3
"""Quadratic patterns run over texts that are bounded where they are read."""


class Parser(SreOpParser):  # type: ignore[misc]
    """regexploit's parser with what Python 3.11 added; both are judged as if they could backtrack."""

    def from_POSSESSIVE_REPEAT(self, data: Any) -> Any:
        return self.from_MAX_REPEAT(data)

    def from_ATOMIC_GROUP(self, data: Any) -> Any:
        return self.sequence_or_singleton(data)


def slow(pattern: str, flags: int = 0) -> bool:
    return any(found.starriness >= CUBIC for found in find(Parser().parse_sre(pattern, flags)))


def patterns() -> Iterator[tuple[str, str, int]]:
    """Every literal that may be a pattern, and every pattern that a module has compiled."""
    shared = ROOT / "layers/shared"
    for path in sorted([*shared.rglob("*.py"), *(ROOT / "functions").rglob("*.py")]):
        visitor = PythonNodeVisitor()
        visitor.visit(ast.parse(path.read_bytes()))
        for found in visitor.patterns:
            yield f"{path.relative_to(ROOT)}:{found.lineno}", found.pattern, found.flags
        name = ".".join(path.relative_to(shared).with_suffix("").parts) if path.is_relative_to(shared) else ""
        if "import re\n" in path.read_text(encoding="utf-8") and name and "snapshot_builder" not in name:
            for value in vars(importlib.import_module(name.removesuffix(".__init__"))).values():
                if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                    yield name, value.pattern, value.flags


def test_patterns_cannot_backtrack_without_end() -> None:
    judged, found = 0, []
    for place, pattern, flags in patterns():
        try:
            re.compile(pattern)
        except re.error:
            continue  # text, not a pattern
        judged += 1
        if slow(pattern, flags):
            found.append((place, pattern))
    assert found == []
    assert judged > 100


@for_each("pattern", [r"(a+)+$", r"(?:\w+\s?)+$", r"\s*\s*\s*x"])
def test_slow_patterns_are_found(pattern: str) -> None:
    assert slow(pattern)
