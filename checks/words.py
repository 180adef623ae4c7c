"""``python -m checks.words``: refuse words that docs/glossary.md replaces by the field's own terms."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

WORDS = {
    r"(?<!\.)(?:tell|tells|told|telling)": "report, record, return, log or list",
    r"becomes? of|became of": "name the outcome",
    r"hears? of|heard of": "is notified of",
    r"(?:is|are) due": "must, or is owed",
    r"who asks": "the caller",
    r"held to|held against|holds? against": "checked against",
    r"somebody|whoever|whomever": "a caller, an operator",
    r"lanes?|fences": "throttle group, limit",
    r"br(?:ing|ings|ought) back": "restore",
    r"to be had": "available",
    r"of its own": "dedicated, separate",
    r"goes on|went on": "continues",
    r"stands|lies": "is",
    r"verdicts?|patience|upkeep": "decision, retry policy, maintenance",
}
"""Each pattern of a word, and what to write instead."""

_PATTERN = re.compile("|".join(rf"(?P<w{n}>\b(?:{words})\b)" for n, words in enumerate(WORDS)), re.IGNORECASE)
_SUFFIXES = {".py", ".md", ".yaml", ".yml", ".toml", ".html", ".js", ".ts", ".sh", ".json", ""}
_LEFT_OUT = (
    "checks/",
    "CHANGELOG.md",
    "LICENSE",
    "tests/data/",
    "docs/glossary.md",
    "functions/site/guides/",
)
_MADE = {"__pycache__", "node_modules", "dist", "viewer"}


def find_words(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line number, word and replacement of each refused word in ``text``."""
    replacements = list(WORDS.values())
    for number, line in enumerate(text.splitlines(), 1):
        for match in _PATTERN.finditer(line):
            yield number, match[0], replacements[int(str(match.lastgroup)[1:])]


def main() -> None:
    """Check every text file of the project; exit with 1 and a line for each refused word."""
    found = 0
    for path in _files(ROOT):
        for number, word, replacement in find_words(path.read_text(encoding="utf-8")):
            found += 1
            print(f"{path.relative_to(ROOT)}:{number}: {word!r}; write: {replacement}")
    sys.exit(f"{found} refused words (docs/glossary.md)" if found else 0)


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        name = path.relative_to(ROOT).as_posix()
        if path.name.startswith(".") or path.name in _MADE or name.startswith(_LEFT_OUT):
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.suffix in _SUFFIXES:
            yield path


if __name__ == "__main__":
    main()
