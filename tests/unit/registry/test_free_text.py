"""What a text of a record may hold, over all code points."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry import tables
from brskills_server.registry.free_text import clean_text, escape_invisible, visible_text
from brskills_server.registry.values import read_text
from tests.for_each import for_each

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


def test_exactly_the_visible_code_points_survive() -> None:
    """Of the planes without letters, every hundredth code point."""
    hidden, visible = [], []
    for code in (*range(0x32000), *range(0x32000, 0xE0000, 100), *range(0xE0000, 0xE1100), 0x10FFFF):
        (hidden if is_hidden(chr(code)) else visible).append(chr(code))
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


@for_each(
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


@given(ANY_TEXT)
def test_json_is_the_same_when_what_is_hidden_in_it_is_escaped(text: str) -> None:
    written = escape_invisible(json.dumps({"a": text}, ensure_ascii=False))
    assert json.loads(written) == {"a": text}
    assert not any(map(is_hidden, written))
