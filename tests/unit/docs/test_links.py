"""Links of documents lead to files and headings that exist."""

import re
from pathlib import Path

from tests.for_each import for_each
from tests.services.gateway import ROOT

DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "README.pt-BR.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("examples/**/*.md"),
]
LINK = re.compile(r"\]\((?!https?:|mailto:|/)([^)#\s]*)(?:#([^)\s]+))?\)")


def anchors(document: Path) -> set[str]:
    text = document.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    named = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    return named | {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@for_each("document", DOCUMENTS)
def test_links_resolve(document: Path) -> None:
    for path, anchor in LINK.findall(document.read_text(encoding="utf-8")):
        target = document.parent / path if path else document
        assert target.exists(), path
        assert not anchor or target.suffix != ".md" or anchor in anchors(target), f"{path}#{anchor}"
