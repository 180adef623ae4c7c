"""Guides are the same in Portuguese and in English: files, headings and code."""

import re
from pathlib import Path

import pytest

from tests.integration.docs.blocks import blocks_of
from tests.services.gateway import ROOT

GUIDES = ROOT / "docs/guides"
NAMES = sorted(path.name for path in (GUIDES / "pt").glob("*.md"))
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def levels(document: Path) -> list[int]:
    text = FENCE.sub("", document.read_text("utf-8"))
    return [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]


def test_both_languages_have_the_same_guides() -> None:
    assert sorted(path.name for path in (GUIDES / "en").glob("*.md")) == NAMES
    assert "start.md" in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_guide_has_the_same_structure_in_both_languages(name: str) -> None:
    pt, en = GUIDES / "pt" / name, GUIDES / "en" / name
    assert levels(pt) == levels(en)
    assert [block.language for block in blocks_of(pt)] == [block.language for block in blocks_of(en)]
