"""What the documents name exists: files by their path, and what is said to be in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DOCUMENTS = [ROOT / "docs/README.md", ROOT / "CONTRIBUTING.md", ROOT / "docs/agents.md"]
NAMED = re.compile(r"`([a-z_]+(?:/[\w.]+)+\.py)(?:: ([\w.]+))?`")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_is_named_exists_with_what_is_named_in_it(document: Path) -> None:
    named = NAMED.findall(document.read_text(encoding="utf-8"))
    assert named
    for path, name in named:
        found = [base / path for base in (ROOT, ROOT / "layers/shared") if (base / path).is_file()]
        assert found, path
        for part in name.split("."):
            assert part in found[0].read_text(encoding="utf-8"), f"{path}: {name}"
