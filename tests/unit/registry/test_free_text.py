"""What a text of a record may hold, over all code points."""

from __future__ import annotations

import json
import sys
import unicodedata
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry import tables
from brskills_server.registry.free_text import clean_text, escape_invisible, visible_text
from brskills_server.registry.providers import REMOTE_IDS
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.reader import read_record
from brskills_server.registry.values import read_text
from tests.simulator.companies import company
from tests.simulator.dialects import DIALECTS

DEFAULT_IGNORABLE = {
    code
    for first, last in (
        (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
        (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F),
        (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
        (0xE0000, 0xE0FFF),
    )
    for code in range(first, last + 1)
}  # fmt: skip
"""Unicode's property Default_Ignorable_Code_Point, from DerivedCoreProperties."""

ANY_TEXT = st.text(st.characters(), max_size=40)


def is_hidden(char: str) -> bool:
    """Whether nothing of a character is seen, not even its width."""
    hidden = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    return unicodedata.category(char) in hidden or ord(char) in DEFAULT_IGNORABLE or char == "\u2800"


def test_of_all_code_points_exactly_the_visible_ones_survive() -> None:
    hidden, visible = [], []
    for char in map(chr, range(sys.maxunicode + 1)):
        (hidden if is_hidden(char) else visible).append(char)
    assert not set(visible_text("a".join(hidden))) - {"a", " "}
    shown = "".join(visible)
    assert visible_text(shown).replace(" ", "") == "".join(shown.split())


@given(ANY_TEXT)
def test_nothing_hidden_survives_and_cleaning_again_changes_nothing(text: str) -> None:
    cleaned = clean_text(text)
    assert read_text(text) == cleaned
    assert cleaned is None or clean_text(cleaned) == cleaned
    assert not any(map(is_hidden, cleaned or ""))
    assert not cleaned or cleaned == " ".join(cleaned.split(" "))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("PAD\u200bARIA\u2060", "PADARIA"),
        ("LOJA \u202eATERP\u202c", "LOJA ATERP"),
        ("A\U000e0069\U000e0067B", "AB"),
        ("A\ufe0f\U000e0100B", "AB"),
        ("A\x00B\x85C\u2028D\u2800E", "A B C D E"),
        ("S\u00c3O e Sa\u0303o", "S\u00c3O e Sa\u0303o"),
        ("\u200b\u2066\x00", ""),
    ],
)
def test_texts(text: str, seen: str) -> None:
    assert visible_text(text) == seen
    assert clean_text(text) == (seen or None)


def test_the_official_texts_hold_nothing_hidden() -> None:
    for path in (tables.Path(tables.__file__).with_name("tables")).glob("*.json"):
        assert not any(map(is_hidden, "".join(json.loads(path.read_bytes()).values()))), path.name


def spoiled(value: Any) -> Any:
    """The same answer with hidden characters in every text of more than a word."""
    if isinstance(value, dict):
        return {key: spoiled(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [spoiled(inner) for inner in value]
    return value.replace(" ", " \u202e\u200b\U000e0041") if isinstance(value, str) else value


def texts_of(value: Any) -> list[str]:
    """Every text in a record."""
    if isinstance(value, dict | list):
        return [
            text
            for inner in (value.values() if isinstance(value, dict) else value)
            for text in texts_of(inner)
        ]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("provider", REMOTE_IDS)
def test_a_providers_answer_with_hidden_characters_gives_the_record_without(provider: str) -> None:
    written = json.dumps(DIALECTS[provider](company("11222333000181")))
    plain, odd = (json.loads(written, parse_float=Decimal) for _ in range(2))
    odd = spoiled(odd)
    assert odd != plain
    record = read_record(PROVIDERS[provider], odd)
    assert not any(is_hidden(char) for text in texts_of(record.model_dump(mode="json")) for char in text)
    assert record == read_record(PROVIDERS[provider], plain)


@given(ANY_TEXT)
def test_json_is_the_same_when_what_is_hidden_in_it_is_escaped(text: str) -> None:
    written = escape_invisible(json.dumps({"a": text}, ensure_ascii=False))
    assert json.loads(written) == {"a": text}
    assert not any(map(is_hidden, written))
