"""What the documents name exists: files by their path, and what is said to be in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMED = re.compile(r"`((?:[a-z_]+/)+(?:\w+\.\w+)?)(?:: ([\w.]+))?`")
NOT_OURS = ("application/", "text/", "image/")
BASES = (ROOT, ROOT / "layers/shared", ROOT / "layers")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_is_named_exists_with_what_is_named_in_it(document: Path) -> None:
    for path, name in NAMED.findall(document.read_text(encoding="utf-8")):
        if path.startswith(NOT_OURS):
            continue
        found = [base / path for base in BASES if (base / path).exists()]
        assert found, path
        for part in name.split(".") if name else ():
            assert part in found[0].read_text(encoding="utf-8"), f"{path}: {name}"
