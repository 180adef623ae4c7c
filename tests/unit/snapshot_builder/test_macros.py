"""DuckDB's macros compared with the readers of ``brskills_server.registry.values`` on the same texts.

A macro gets a text without control characters, which `snapshot_builder.lines` replaces by blanks. Tests name
the forms that a macro rejects and a reader accepts.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brskills_server.registry.providers.reader import read_document
from brskills_server.registry.values import (
    read_code,
    read_date,
    read_digits,
    read_head_office,
    read_money,
    read_place_code,
    read_text,
    read_yes,
)
from brskills_server.snapshot_builder.machine import Share
from brskills_server.snapshot_builder.macros import connect
from taxid import cnpj
from tests.register.digits import cnpj_digits

BLANKS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA1)], " ")
LATIN = st.characters(codec="iso-8859-1", exclude_characters="\n\r")
MARKS = st.text("-./ *\0\xa0", max_size=2)


def groups(*widths: int) -> st.SearchStrategy[str]:
    """Return digits in groups, any marks before, between and behind them."""
    parts = [
        part for width in widths for part in (MARKS, st.text("0123456789", min_size=width, max_size=width))
    ]
    return st.tuples(*parts, MARKS).map("".join)


CPFS = groups(3, 3, 3, 2)
ODD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=4)
ODD |= st.sampled_from(
    ["\u200b", "\u202e", "\U000e0041", "\ufe0f", "\xad", "\u2013", "\uff11", "\u0661", "\xb2"]
)
TEXTS = st.lists(
    st.text(LATIN, max_size=6) | CPFS | ODD | st.sampled_from(['"', '""', "\\", "  "]), max_size=4
).map("".join)
DIGITS = st.text("0123456789", max_size=19)
CODES = DIGITS | st.text("0123456789 -./\0A*,", max_size=9) | TEXTS
ALNUM = st.text("0123456789ABCXYZ", min_size=12, max_size=12)


def plain(text: str) -> str:
    return text.translate(BLANKS).strip(" ")


def many(texts: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    """Return many texts for each question to DuckDB, most of which is planning."""
    return st.lists(texts, min_size=1, max_size=60)


@pytest.fixture(scope="module")
def canonical(tmp_path_factory) -> Iterator[Callable[[str, list[str]], list[str]]]:
    """Return the values of an expression in ``x`` for many texts."""
    connection = connect(str(tmp_path_factory.mktemp("spill")), Share(memory=700_000_000, threads=2))

    def run(expression: str, texts: list[str]) -> list[str]:
        cleaned = list(dict.fromkeys(text.translate(BLANKS) for text in texts))
        rows = connection.execute(
            f"SELECT x, {expression} FROM (SELECT unnest(?) AS x)",  # noqa: S608, an expression of the tests
            [cleaned],
        ).fetchall()
        found = dict(rows)
        return [found[text.translate(BLANKS)] for text in texts]

    yield run
    connection.close()


def text_of(text: str) -> str:
    """A quote that is escaped, as some files have them, is one quote."""
    return read_text(text.replace('""', '"')) or ""


def code_of(text: str, width: int) -> str:
    return read_code(text, width) or ""


def place_of(text: str, width: int) -> str:
    return read_place_code(text, width) or ""


def activities_of(text: str) -> str:
    return ",".join(filter(None, (read_place_code(code, 7) for code in text.split(","))))


def day_of(text: str) -> str:
    """A day is eight digits; the readers also take it with dashes, slashes or a time."""
    day = read_date(text) if re.fullmatch(r"[0-9]{8}", plain(text)) else None
    return day.isoformat().replace("-", "") if day else ""


def money_of(text: str) -> str:
    """An amount is digits, a comma and at most two more; a reader refuses all else."""
    is_amount = re.fullmatch(r"[0-9]{1,18}(,[0-9]{1,2})?", plain(text))
    return (read_money(plain(text)) or "") if is_amount else ""


def phone_of(text: str) -> str:
    """Zeros alone are not a telephone, as ``brskills_server.registry.providers.reading.reader`` has it."""
    digits = read_digits(text)
    return digits if digits.strip("0") else ""


def yes_of(text: str) -> str:
    """S or N; the readers also take words."""
    mark = plain(text) if plain(text) in {"S", "N"} else ""
    assert not mark or read_yes(text) == (mark == "S")
    return mark


def mark_of(text: str) -> str:
    """1, 2 or 3; the text of a shifted row may be any other."""
    mark = plain(text) if plain(text) in {"1", "2", "3"} else ""
    assert mark or read_head_office(text) is None
    return mark


def document_of(text: str) -> str:
    """The readers know more blanks than those that are left in a row."""
    return read_document(text.translate(BLANKS)) or ""


def is_cnpj(text: str) -> bool:
    """Fourteen zeros, which have the right digits and are nobody's, do no harm in a snapshot."""
    return cnpj.is_valid(text) or text == "0" * 14


ACTIVITIES = st.lists(CODES | st.from_regex(r"[0-9]{7}", fullmatch=True), max_size=5).map(",".join)
DAYS = st.text("0123456789", min_size=8, max_size=8) | st.dates().map(lambda d: f"{d:%Y%m%d}".zfill(8))
AMOUNTS = st.tuples(DIGITS, st.sampled_from(["", ",", ",0", ",00", ",05", ",5", ",005", ".00"]), MARKS)
YES = st.sampled_from(["S", "N", "s", "Sim", "NÃO", "", " ", "X", "S\0"])
KINDS = CPFS | st.sampled_from(["1", "2", "3", "4", "0", "", "12", " 2\0"])
DOCUMENTS = CPFS | groups(2, 3, 3, 4, 2) | groups(11) | st.tuples(ALNUM, DIGITS).map("".join)
DOCUMENTS |= groups(6).map(lambda six: f"***{six}**") | st.text(LATIN, max_size=16)
DOCUMENTS = DOCUMENTS.filter(lambda text: "ß" not in text)  # Python makes two letters of it
NUMBERS = st.tuples(ALNUM | groups(12), st.text("0123456789", min_size=2, max_size=2)).map("".join)
NUMBERS |= ALNUM.map(lambda twelve: twelve + cnpj_digits(twelve)) | st.text(LATIN, max_size=15)

MACROS: dict[str, tuple[Callable[[str], object], st.SearchStrategy[str], list[str]]] = {
    "text_of(x)": (text_of, TEXTS, [
        "***", "* *", "", "  ", "\0", '"', 'A ""B""', "529 982 247 25", "529\xa0982 247-25",
        "A529.982.247-25B", "11144477735", "011144477735", "111444777350", "111.444.777/35",
        "111--444777-35", "A\u200bB", "\u202eATERP", "\U000e0041", "\xad", "A\u20282",
        "1 1 1 4 4 4 7 7 7 3 5", "111\u2013444\u2013777\u201335", "\uff11\uff11\uff11444777\u0663\u0665",
        "11144477\xb335", "S\u00c3O JO\u00c3O", "111.444_777*35", "\u2800",
        "MARIA JO\u00c3O 11144477735", "\u00c7 11144477735", "1 A 11144477735", "A  11144477735",
        "A* 11144477735", "A 111444777351", "A11144477735", " 11144477735", "A 11144477735 B",
        'A "B" 11144477735', "A\xa011144477735",
    ]),
    **{f"code_of(x, {width})": (partial(code_of, width=width), CODES, [
        "6204-0/00", "1\0", " 7 ", "007", "1  2", "1058", "12 34 56 7",
    ]) for width in (1, 3, 7)},
    **{f"place_of(x, {width})": (partial(place_of, width=width), CODES, [
        "0", "0000", "00000001", "01001-000",
    ]) for width in (4, 8)},
    "activities_of(x)": (activities_of, ACTIVITIES, [
        "1000000,0000001", "0000000", "6204000,,0111301", "6204-0/00,111301",
    ]),
    "day_of(trim(x))": (day_of, DAYS | TEXTS, [
        "20240229", "20230229", "00000000", "00000101", "00010101", "99991231", " 20240229\0", "2023W011",
    ]),
    "money_of(trim(x))": (money_of, AMOUNTS.map("".join) | TEXTS, [
        "999999999999,00", "999999999999", "0999999999999,0", "999999999999,01", "1999999999999,00",
        "1000,00\0", "007,50", "-1,00", "1" + "0" * 18, "9" * 18 + ",99", "", "MIL REAIS", "1e5", ",50",
    ]),
    "nonzero(digits_of(x))": (phone_of, CODES, []),
    "yes_of(trim(x))": (yes_of, YES, []),
    "mark_of(trim(x))": (mark_of, KINDS, []),
    "document_of(x)": (document_of, DOCUMENTS, [
        "***000000**", "***000.000**", "11100000035", "***123456**", "12abc345000195", "111.444.777/35",
        "111\u2013444\u2013777\u201335", "\uff11\uff11\uff11444\u200b77735", "*" * 11,
    ]),
    "is_cnpj(x, TRY_CAST(x AS BIGINT))": (is_cnpj, NUMBERS, [
        "00000000E08G12", "93ZB0VRYV6KA66", "11222333000181", "11222333000182", "1122233300018",
        "11222333A00181", *(digit * 14 for digit in "0123456789"),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("expression", MACROS)
@settings(max_examples=settings.default.max_examples // 3)
@given(data=st.data())
def test_macros_give_what_readers_give(canonical, expression, data):
    expected, texts, examples = MACROS[expression]
    drawn = examples + data.draw(many(texts))
    assert canonical(expression, drawn) == [expected(text) for text in drawn]


@settings(max_examples=settings.default.max_examples // 3)
@given(texts=many(st.text("0123456789ABCXYZabc", min_size=7, max_size=9)))
def test_roots_and_their_parts(canonical, texts):
    """Parts follow one another as the roots in them do."""
    roots = sorted(t for t, is_root in zip(texts, canonical("is_root(x)", texts), strict=True) if is_root)
    assert roots == sorted(text for text in texts if re.fullmatch("[0-9A-Z]{8}", text))
    if roots:
        parts = canonical("part_of(x)", roots)
        assert parts == sorted(parts)
