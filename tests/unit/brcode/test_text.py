"""Transliteration and truncation of names, cities and descriptions."""

from hypothesis import given
from hypothesis import strategies as st

from brcode.text import clean, transliterate
from tests.for_each import for_each

STEPS = {
    "": [("Fulano de Tal", "Fulano de Tal"), ("M&M (Centro) @ 24h", "M&M (Centro) @ 24h"), ("", "")],
    "transliterado": [
        ("São João Açaí", "Sao Joao Acai"), ("Sa\u0303o Joa\u0303o", "Sao Joao"),
        ("Straße nº 5ª", "Strasse no 5a"), ("N° 1 – “Casa” d’Ávila", 'No 1 - "Casa" d\'Avila'),
        ("Łódź ĳ Ørsted Æon", "Lodz ij Orsted AEon"), ("Loja １２３", "Loja 123"),
        ("ﬁlé… ½ ™", "file... 1/2 TM"),
    ],
    "transliterado removido espacos": [("Café ☕", "Cafe"), ("Москва Café", "Cafe")],
    "removido espacos": [("Loja 🎉 Boa", "Loja Boa")],
    "removido": [
        ("Loja❤️", "Loja"), ("a\u200bb\u202ec\ufeffd", "abcd"), ("a\x00b\x1fc\x7f", "abc"), ("🎉🎉", ""),
        ("株式会社", ""), ("\u0301", ""), ("¨", ""), ("\ud800x", "x"),
    ],
    "espacos": [
        ("Padaria\nCentral\t2", "Padaria Central 2"), ("  Padaria   Central ", "Padaria Central"),
        ("Padaria\xa0Central\u3000Sul", "Padaria Central Sul"), ("  ", ""),
    ],
}  # fmt: skip


@for_each(
    ("written", "result", "reasons"), [(*case, reasons) for reasons, cases in STEPS.items() for case in cases]
)
def test_steps(written, result, reasons):
    text, steps = clean("merchant_name", written, 25)
    assert text == result
    assert [step.reason for step in steps] == reasons.split()
    assert {step.field for step in steps} <= {"merchant_name"}
    assert_chained(written, text, steps)


@for_each(
    ("written", "limit", "result"),
    [
        ("Arya Stark with a very long name", 25, "Arya Stark with a very"),
        ("Pindamonhangaba do Sul", 15, "Pindamonhangaba"),
        ("Sao Joao del Rei", 15, "Sao Joao del"),
        ("Sao Joao da Barra Mansa", 11, "Sao Joao da"),
        ("Vila Bela da Santissima Trindade", 15, "Vila Bela da"),
        ("Supercalifragilisticexpialidocious", 25, "Supercalifragilisticexpia"),
    ],
)
def test_truncation_keeps_whole_words(written, limit, result):
    text, (step,) = clean("merchant_city", written, limit)
    assert text == result
    assert step == ("merchant_city", written, result, "truncado")


def test_length_counts_after_transliteration():
    text, steps = clean("merchant_name", "ß" * 13, 25)
    assert text == "s" * 25
    assert [step.reason for step in steps] == ["transliterado", "truncado"]


def test_letters_and_marks_have_ascii_equivalents():
    letters, marks = "ßẞæÆœŒøØđĐðÐþÞłŁı°×⁄ħĦŧŦŋŊ", "‧ʼ‹›‐‑‒–—―−•·‘’‚‛′´“”„‟«»"
    assert transliterate("description", letters)[0] == "ssSSaeAEoeOEoOdDdDthThlLiox/hHtTnN"
    assert transliterate("description", marks)[0] == ".'''--------.''''''\"\"\"\"\"\""


@for_each("code", range(0x80, 0x100))
def test_latin_1_is_the_same_beside_other_characters(code):
    alone, _ = transliterate("merchant_name", chr(code))
    beside, _ = transliterate("merchant_name", chr(code) + "…")
    assert beside == alone + "..."


def assert_chained(written, text, steps):
    """Assert that every step changes the result of the step before."""
    at = written
    for step in steps:
        assert step.before == at
        assert step.after != at
        at = step.after
    assert at == text


@given(st.text(max_size=60), st.integers(1, 30))
def test_every_change_is_a_step(written, limit):
    text, steps = clean("description", written, limit)
    assert_chained(written, text, steps)
    assert len(text) <= limit
    assert text.isascii()
    assert text == " ".join(text.split())
    assert text.isprintable()
    assert clean("description", text, limit) == (text, ())


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=8), min_size=2), st.integers(8, 30))
def test_words_that_fit_are_kept_whole(words, limit):
    text, _ = clean("merchant_name", " ".join(words), limit)
    kept = text.split(" ")
    assert kept == words[: len(kept)]
    assert len(kept) == len(words) or len(" ".join(words[: len(kept) + 1])) > limit
