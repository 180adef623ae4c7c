"""The words of names, of any text."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.search.words import LONGEST, fold
from tests.for_each import for_each

TEXTS = st.text(st.characters(exclude_categories=()), max_size=80)
"""Lone surrogates and controls included."""


@for_each(
    ("text", "words"),
    [
        ("Padaria São João & Cia. Ltda.", "PADARIA SAO JOAO E CIA LTDA"),
        ("PADARIA SÃO JOÃO & COMPANHIA LIMITADA", "PADARIA SAO JOAO E CIA LTDA"),
        ("Petróleo S/A", "PETROLEO SA"),
        ("Petróleo S.A.", "PETROLEO SA"),
        ("Petróleo S. A.", "PETROLEO SA"),
        ("Petróleo s a", "PETROLEO SA"),
        ("PETROLEO S/A - EM LIQUIDACAO", "PETROLEO SA EM LIQUIDACAO"),
        ("MARIA S A SILVA", "MARIA S A SILVA"),
        ("U.S.A. IMPORTS", "U S A IMPORTS"),
        ("D'ÁVILA, PRAÇA 1º", "D AVILA PRACA 1O"),
        ("JOAO DA SILVA ***444777**", "JOAO DA SILVA"),
        ("ＰＡＤＡＲＩＡ ﬁna Straße", "PADARIA FINA STRASSE"),
        ("РАDARIA", "DARIA"),
        ("\0'\"*():^-+{}", ""),
        ("\ud800", ""),
        ("A" * 10_000, "A" * LONGEST),
    ],
)
def test_texts_and_their_words(text: str, words: str) -> None:
    assert " ".join(fold(text)) == words


@given(TEXTS)
def test_words_are_of_plain_letters_and_digits_and_folding_them_again_changes_nothing(text: str) -> None:
    words = fold(text)
    assert all(re.fullmatch(f"[A-Z0-9]{{1,{LONGEST}}}", word) for word in words)
    assert fold(" ".join(words)) == words


@given(TEXTS, st.sampled_from(["lower", "upper", "title"]))
def test_case_of_ascii_and_the_form_of_accents_are_no_difference(text: str, case: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    assert fold(decomposed) == fold(text)
    if text.isascii():
        assert fold(getattr(text, case)()) == fold(text)
