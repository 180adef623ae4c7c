"""DuckDB's macros compared with the readers of ``brskills_server.registry.values`` on the same texts.

A macro gets a text without control characters, which `snapshot_builder.lines` replaces by blanks. Tests name
the forms that a macro rejects and a reader accepts.
"""

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
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
from brskills_server.snapshot_builder.macros import connect
from taxid import cnpj
from tests.register.digits import cnpj_digits

BLANKS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA1)], " ")
LATIN = st.characters(codec="iso-8859-1", exclude_characters="\n\r")
MARKS = st.text("-./ *\0\xa0", max_size=2)


def groups(*widths: int) -> st.SearchStrategy[str]:
    """Digits in groups, any marks before, between and behind them."""
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


@pytest.fixture(scope="module")
def canonical(tmp_path_factory) -> Callable[[str, list[str]], list[str]]:
    """The values of an expression in ``x`` for many texts."""
    connection = connect(str(tmp_path_factory.mktemp("spill")))

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


def many(texts: st.SearchStrategy[str]) -> Callable:
    """Many texts for each question to DuckDB, most of which is planning."""
    lists = st.lists(texts, min_size=1, max_size=60)
    return lambda test: settings(max_examples=15)(given(texts=lists)(test))


@many(TEXTS)
@example(texts=["***", "* *", "", "  ", "\0", '"', 'A ""B""', "529 982 247 25", "529\xa0982 247-25"])
@example(texts=["A529.982.247-25B"])
@example(texts=["11144477735", "011144477735", "111444777350", "111.444.777/35", "111--444777-35"])
@example(texts=["A\u200bB", "\u202eATERP", "\U000e0041", "\xad", "A\u20282", "1 1 1 4 4 4 7 7 7 3 5"])
@example(texts=["111\u2013444\u2013777\u201335", "\uff11\uff11\uff11444777\u0663\u0665", "11144477\xb335"])
@example(texts=["S\u00c3O JO\u00c3O", "111.444_777*35", "\u2800"])
def test_texts(canonical, texts):
    """A quote that is escaped, as some files have them, is one quote."""
    assert canonical("text_of(x)", texts) == [read_text(text.replace('""', '"')) or "" for text in texts]


@many(CODES)
@example(texts=["6204-0/00", "1\0", " 7 ", "007", "1  2", "1058", "12 34 56 7"])
@pytest.mark.parametrize("width", [1, 3, 7])
def test_codes(canonical, texts, width):
    assert canonical(f"code_of(x, {width})", texts) == [read_code(text, width) or "" for text in texts]


@many(CODES)
@example(texts=["0", "0000", "00000001", "01001-000"])
@pytest.mark.parametrize("width", [4, 8])
def test_places(canonical, texts, width):
    assert canonical(f"place_of(x, {width})", texts) == [read_place_code(text, width) or "" for text in texts]


@many(st.lists(CODES | st.from_regex(r"[0-9]{7}", fullmatch=True), max_size=5).map(",".join))
@example(texts=["1000000,0000001", "0000000", "6204000,,0111301", "6204-0/00,111301"])
def test_activities(canonical, texts):
    expected = [
        ",".join(filter(None, (read_place_code(code, 7) for code in text.split(",")))) for text in texts
    ]
    assert canonical("activities_of(x)", texts) == expected


@many(
    st.text("0123456789", min_size=8, max_size=8) | st.dates().map(lambda d: f"{d:%Y%m%d}".zfill(8)) | TEXTS
)
@example(
    texts=["20240229", "20230229", "00000000", "00000101", "00010101", "99991231", " 20240229\0", "2023W011"]
)
def test_days(canonical, texts):
    """A day is eight digits; the readers also take it with dashes, slashes or a time."""
    expected = [
        day.isoformat().replace("-", "")
        if re.fullmatch(r" *[0-9]{8} *", plain) and (day := read_date(text))
        else ""
        for text in texts
        for plain in [text.translate(BLANKS)]
    ]
    assert canonical("day_of(trim(x))", texts) == expected


AMOUNTS = st.tuples(DIGITS, st.sampled_from(["", ",", ",0", ",00", ",05", ",5", ",005", ".00"]), MARKS).map(
    "".join
)


@many(AMOUNTS | TEXTS)
@example(texts=["999999999999,00", "999999999999", "0999999999999,0", "999999999999,01", "1999999999999,00"])
@example(
    texts=["1000,00\0", "007,50", "-1,00", "1" + "0" * 18, "9" * 18 + ",99", "", "MIL REAIS", "1e5", ",50"]
)
def test_amounts(canonical, texts):
    """An amount is digits, a comma and at most two more; all else has no value, and a reader refuses it."""
    expected = [
        read_money(plain) or "" if re.fullmatch(r"[0-9]{1,18}(,[0-9]{1,2})?", plain) else ""
        for text in texts
        for plain in [text.translate(BLANKS).strip(" ")]
    ]
    assert canonical("money_of(trim(x))", texts) == expected


@many(CODES)
def test_telephones(canonical, texts):
    """Zeros alone are not a telephone, as ``brskills_server.registry.providers.reader`` has it."""
    expected = [digits if (digits := read_digits(text)).strip("0") else "" for text in texts]
    assert canonical("nonzero(digits_of(x))", texts) == expected


@many(st.sampled_from(["S", "N", "s", "Sim", "NÃO", "", " ", "X", "S\0"]))
def test_options(canonical, texts):
    """S or N; the readers also take words."""
    marks = {"S", "N"}
    expected = [plain if (plain := text.translate(BLANKS).strip()) in marks else "" for text in texts]
    found = canonical("yes_of(trim(x))", texts)
    assert found == expected
    assert all(
        {"S": True, "N": False}[mark] == read_yes(text)
        for mark, text in zip(found, texts, strict=True)
        if mark
    )


@many(CPFS | st.sampled_from(["1", "2", "3", "4", "0", "", "12", " 2\0"]))
def test_kinds(canonical, texts):
    """1, 2 or 3 and nothing else: where a row is shifted anything may stand there."""
    found = canonical("mark_of(trim(x))", texts)
    assert found == [
        plain if (plain := t.translate(BLANKS).strip()) in {"1", "2", "3"} else "" for t in texts
    ]
    assert all(found[n] in "12" for n, text in enumerate(texts) if read_head_office(text) is not None)


DOCUMENTS = CPFS | groups(2, 3, 3, 4, 2) | groups(11) | st.tuples(ALNUM, DIGITS).map("".join)
DOCUMENTS |= groups(6).map(lambda six: f"***{six}**") | st.text(LATIN, max_size=16)


@many(DOCUMENTS.filter(lambda text: "ß" not in text))  # Python makes two letters of it
@example(texts=["***000000**", "***000.000**", "11100000035", "***123456**", "12abc345000195"])
@example(
    texts=["111.444.777/35", "111\u2013444\u2013777\u201335", "\uff11\uff11\uff11444\u200b77735", "*" * 11]
)
def test_documents(canonical, texts):
    """The readers know more blanks than those that are left in a row."""
    expected = [read_document(text.translate(BLANKS)) or "" for text in texts]
    assert canonical("document_of(x)", texts) == expected


NUMBERS = st.tuples(ALNUM | groups(12), st.text("0123456789", min_size=2, max_size=2)).map("".join)
RIGHT = ALNUM.map(lambda twelve: twelve + cnpj_digits(twelve))


@many(NUMBERS | RIGHT | st.text(LATIN, max_size=15))
@example(texts=["00000000E08G12", "93ZB0VRYV6KA66", "11222333000181"])
@example(texts=["11222333000182", "1122233300018", "11222333A00181"])
@example(texts=[digit * 14 for digit in "123456789"])
def test_check_digits(canonical, texts):
    """Fourteen zeros, which have the right digits and are nobody's, do no harm in a copy."""
    expected = [cnpj.is_valid(text) or text == "0" * 14 for text in texts]
    assert canonical("is_cnpj(x, TRY_CAST(x AS BIGINT))", texts) == expected


@many(st.text("0123456789ABCXYZabc", min_size=7, max_size=9))
def test_roots_and_their_parts(canonical, texts):
    """Parts follow one another as the roots in them do."""
    roots = sorted(t for t, is_root in zip(texts, canonical("is_root(x)", texts), strict=True) if is_root)
    assert roots == sorted(text for text in texts if re.fullmatch("[0-9A-Z]{8}", text))
    if roots:
        parts = canonical("part_of(x)", roots)
        assert parts == sorted(parts)
