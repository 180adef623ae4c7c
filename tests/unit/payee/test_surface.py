"""What the room offers, and what it must not drag along."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from brskills_server.skills import payee
from brskills_server.skills.payee.people import GIVEN, PEOPLE
from brskills_server.skills.payee.vocabulary import FILLERS, FORMS, LINKS, NUMBERS, SHARED, SHORT, VAGUE, WEAK

PACKAGE = Path(payee.__file__).parent


def test_names() -> None:
    assert payee.__all__ == ["RECENT_DAYS", "STALE_DAYS", "Verdict", "alerts_of_company", "compare_names"]


def test_it_is_pure() -> None:
    allowed = sys.stdlib_module_names - {"os", "logging", "socket"} | {"payee", "brcode"}
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= allowed, path


def test_a_word_is_of_one_kind() -> None:
    assert not SHARED & WEAK
    assert FILLERS <= VAGUE <= SHARED
    assert not (FORMS | LINKS) & (SHARED | WEAK | NUMBERS.keys())
    assert GIVEN < PEOPLE
    for words in (SHARED, WEAK, FORMS, LINKS, PEOPLE, SHORT.keys(), NUMBERS.keys()):
        assert all(word.isascii() and word.isupper() and word.isalpha() for word in words)
