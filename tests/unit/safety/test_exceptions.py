"""Every exception from a security linter has a reason beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDERS = (
    "layers",
    "functions",
    "package",
    "requirements",
    "on-premise",
    "guides",
    "clients",
    "examples",
    "tests",
    "lab",
)
EXCEPTION = re.compile(r"# noqa: *((?:[A-Z]+\d+,? ?)+)(.*)")


def sources() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (path for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts)


def test_an_exception_from_a_security_rule_has_a_reason() -> None:
    said = [
        (str(path.relative_to(ROOT)), found[2].strip(" ,-"))
        for path in sources()
        for found in EXCEPTION.finditer(path.read_text(encoding="utf-8"))
        if re.search(r"\bS\d", found[1])
    ]
    assert len(said) > 20
    assert [path for path, why in said if len(why) < 4] == []
