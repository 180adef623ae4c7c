"""Properties of the comparison of names."""

import re
import sys
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from brcode.text import clean
from brskills_server.registry.privacy import hide_cpfs
from brskills_server.skills.payee.names import compare_names
from tests.unit.payee.table import pairs

WORDS = [
    "PADARIA", "COMERCIO", "DE", "DO", "DA", "E", "ESTRELA", "SÃO", "JOÃO", "MARIA", "CONCEIÇÃO",
    "SILVA", "24", "II", "FARMÁCIA", "IRMÃOS", "&", "A", "J.", "D'ÁVILA", "KARTOLIN", "INDÚSTRIA",
    "-", "ALIMENTOS", "IGREJA", "CIA.", "LTDA", "S/A", "ME", "11144477735", "111.444.777-35",
    "12.345.678", "NOSSA", "SENHORA", "X", "Nº", "EM", "?",
]  # fmt: skip
WRITTEN = st.text(min_size=1, max_size=60) | st.lists(
    st.sampled_from(WORDS) | st.text("ABCÇÃÉIOUÜ", min_size=1, max_size=12), min_size=1, max_size=9
).map(" ".join)
REGISTERED = st.text(st.characters(max_codepoint=255), min_size=1, max_size=150) | WRITTEN
OWNERS = st.lists(
    st.sampled_from(["JOSÉ", "ANA", "DE", "DA", "DOS", "SILVA", "CONCEIÇÃO", "VASCONCELOS", "D'ÁVILA", "SÁ"]),
    min_size=2,
    max_size=7,
).map(" ".join)
FIRMS = (
    st.lists(st.sampled_from([word for word in WORDS if "111" not in word]), min_size=1, max_size=9)
    .map(" ".join)
    .filter(lambda name: any(map(str.isalnum, name)))
)
ENDS = [
    "LTDA", "LIMITADA", "LTDA - ME", "- EPP", "EIRELI", "S/A", "S.A.", "S A", "S/S", "SLU",
    "S/A - EM RECUPERACAO JUDICIAL", "LTDA EM LIQUIDACAO", "SOCIEDADE UNIPESSOAL LTDA",
]  # fmt: skip
NAMES = (  # as the register writes them
    st.builds("{} {}".format, OWNERS, st.from_regex(r"\A[0-9]{11}\Z"))
    | st.builds("{} {}".format, st.from_regex(r"\A[0-9]{2}\.[0-9]{3}\.[0-9]{3}\Z"), OWNERS)
    | st.builds("{} {}".format, FIRMS, st.sampled_from(ENDS))
    | FIRMS
)
ACCENTS = str.maketrans("AEIOUCaeiouc", "ÁÊÍÕÜÇáêíõüç")


def hide_other_digits(name: str) -> str:
    """Mask a CPF as Minha Receita does in trade names."""
    return re.sub(r"\d{3}(\d{5})\d{3}$", r"***\1***", name)


@given(REGISTERED, st.none() | REGISTERED)
def test_a_name_that_our_encoder_writes_is_certain(own: str, trade: str | None) -> None:
    written, registered = clean("merchant_name", own, 25)[0], hide_cpfs(own)
    assume(any(map(str.isalnum, written)) and len(registered) == len(own))  # a CPF is eleven digits in one
    assert compare_names(written, trade, registered) == "confere"


@given(NAMES, st.integers(24, 25), st.sampled_from([hide_cpfs, hide_other_digits, str]))
def test_a_name_that_another_encoder_cuts_is_certain(own: str, limit: int, hide: Any) -> None:
    written = clean("merchant_name", own)[0][:limit]
    assert compare_names(written, hide(own)) == "confere"
    assert compare_names(clean("merchant_name", hide_cpfs(own))[0][:limit], own) == "confere"
    assert compare_names(written, f"ZYGOLIN {own}") != "confere"


@given(WRITTEN, REGISTERED, st.none() | REGISTERED)
def test_the_order_of_the_names_does_not_matter(written: str, legal: str, trade: str | None) -> None:
    assert compare_names(written, legal, trade) == compare_names(written, trade, legal)


@given(st.sampled_from(pairs("develop")), st.sampled_from([str.lower, str.upper, str.title, str.swapcase]))
def test_case_accents_and_white_space_do_not_matter(pair: Any, change: Any) -> None:
    written, names = pair.written, (pair.legal, pair.trade)
    answer = compare_names(written, *names)
    assert compare_names(change(written), *map(change, names)) == answer
    assert compare_names(written.translate(ACCENTS), *names) == answer
    assert compare_names(written, *(name.translate(ACCENTS) for name in names)) == answer
    assert (
        compare_names("\t " + written.replace(" ", " \u00a0\n"), *(f" {name} " for name in names)) == answer
    )


@given(WRITTEN)
def test_without_a_name_the_match_is_unknown(written: str) -> None:
    assert compare_names(written) == compare_names(written, None, "") == "desconhecido"
    assert compare_names("", written) == "desconhecido"


@given(REGISTERED)
def test_a_name_with_one_other_letter_is_never_certain(own: str) -> None:
    assume("Q" not in own.upper())
    assert compare_names("KARTOLIN " + own, "KARTOLQN " + own) != "confere"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("A" * 2_000, "A" * 2_000),
        ("A " * 1_000, "A " * 1_000),
        ("AAA " * 500, "AAAA " * 500),
        ("A" * 29 + "B " * 900, "AAA " * 500),
        ("ABCDEF " * 285, "FEDCBA " * 285),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZABCD " * 64, "ZYXWVUTSRQPONMLKJIHGFEDCBAZYXW " * 64),
        ("12345678901 " * 166, "*** " * 500),
        ("\ufdfa" * 2_000, "\ufdfa" * 2_000),
        (" " * 1_999 + "X", "\x00" * 2_000),
        ("E DE " * 400, "LTDA ME " * 250),
        ("." * 2_000, "S/A" * 666),
    ],
)
def test_work_is_bounded(written: str, name: str) -> None:
    """Counted in calls of functions, Python's and built in, of which a usual pair takes some hundred."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        compare_names(written, name, name[::-1])
    finally:
        sys.setprofile(None)
    assert calls < 500_000
