"""Rows as lines, independent of the ends of parts and of neighbouring lines."""

import tempfile
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.lines import parts
from tests.unit.snapshot_builder.published_file import publish

# In ISO-8859-1 no two of these accents make a character of UTF-8.
LETTERS = st.text("AB09 .,'\\ÇÃÉ", max_size=8)
QUOTED = st.lists(LETTERS, min_size=2, max_size=6).map(lambda f: '"' + '";"'.join(f) + '"')
UNQUOTED = st.lists(LETTERS.filter(str.strip), min_size=2, max_size=6).map(";".join)
BLANKS = st.sampled_from(["", "", " ", "\0", "\t "])
ROWS = st.tuples(BLANKS, QUOTED | UNQUOTED, BLANKS).map("".join)
RUBBISH = st.text('";\n\r \0AÇ', max_size=12).map(lambda text: text.encode("latin-1"))


def lines_of(content: bytes, part_bytes: int = 1 << 26) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        read = [part.lines for part in parts(publish(Path(folder), content), part_bytes)]
    return [text for lines in read for line in lines.decode().split("\n") if (text := line.strip(" "))]


def plain(row: str) -> str:
    return row.replace("\0", " ").replace("\t", " ").strip(" ")


@given(RUBBISH, st.integers(1, 9))
def test_parts_may_end_anywhere(content, part_bytes):
    assert lines_of(content, part_bytes) == lines_of(content)


@given(st.lists(ROWS, min_size=1), st.sampled_from([b"\n", b"\r\n"]), st.booleans(), st.integers(1, 60))
def test_rows_are_lines(rows, line_end, is_closed, part_bytes):
    content = line_end.join([*(row.encode("latin-1") for row in rows), *([b""] if is_closed else [])])
    assert lines_of(content, part_bytes) == list(map(plain, rows))


@given(
    st.lists(st.tuples(RUBBISH | st.binary(max_size=12), ROWS), min_size=1, max_size=4), st.integers(1, 60)
)
@example([(b"", "A;B"), (b"", "B;A")], 60)
@example([(b"", '"1";"2" '), (b"RUBBISH", '"3";"4"')], 60)
@example([(b'"1";"CUT', "3;4"), (b"", "5;6")], 60)
def test_no_row_is_touched_by_its_neighbours(between, part_bytes):
    """However few accents a part has: with rubbish of all bytes it must stay ISO-8859-1."""
    content = b"\n".join(b"%s\n%s" % (rubbish, row.encode("latin-1")) for rubbish, row in between)
    found = iter(lines_of(content + b"\n\xff", part_bytes=len(content) + 2))
    for _, row in between:
        assert plain(row) in found  # in this order


@given(
    st.lists(st.text("AB;Ç", min_size=1, max_size=5), min_size=2, max_size=4),
    st.sampled_from(["\n", "\r\n", "\n\n", " \n"]),
    st.integers(1, 60),
)
def test_a_line_feed_within_a_text_is_a_blank(texts, line_feed, part_bytes):
    texts = [texts[0], *(text.replace(";", ",") for text in texts[1:-1]), texts[-1]]
    row = f'"1";"{line_feed.join(texts)}";"2"'
    found = lines_of(f'"0";"A"\n{row}\n"3";"B"'.encode("latin-1"), part_bytes)
    assert [" ".join(line.split()) for line in found] == [
        '"0";"A"',
        f'"1";"{" ".join(texts)}";"2"',
        '"3";"B"',
    ]


def test_control_characters_are_blanks():
    characters = [chr(c) for c in (*range(1, 10), 11, 12, *range(14, 32), *range(0x7F, 0xA1))]
    rows = "\n".join(f'"A{character}Ç";"B"' for character in characters)
    assert lines_of(rows.encode("latin-1")) == ['"A Ç";"B"'] * len(characters)


@pytest.mark.parametrize("part_bytes", [3, 60])
def test_a_byte_order_mark_is_not_part_of_the_first_row(part_bytes):
    assert lines_of(b'\xef\xbb\xbf"1";"A"\n"2";"B"\n', part_bytes) == ['"1";"A"', '"2";"B"']


def test_utf_8_is_read_as_that():
    assert lines_of('"AÇÃO";"B"'.encode()) == ['"AÇÃO";"B"']


def test_the_bytes_read_are_reported(tmp_path):
    rows = b'"1";"2"\n' * 100  # the last row is behind the last border that is known
    assert [part.done for part in parts(publish(tmp_path, rows), 200)] == [200, 400, 600, 800, 800]


@pytest.mark.parametrize(
    ("line", "place", "part_bytes"),
    [
        (b"0" * 131_073, 0, 100_000),
        (b"0" * 131_073, 400_000, 1 << 26),
        (b'"1";"' + b"A" * 131_073, 70_000, 100_000),
        (b'"1";"OPEN' + b"\nA" * 70_000, 400_000, 100_000),
        (b'"1";"OPEN' + b"\nA" * 70_000, 0, 1 << 26),
    ],
    ids=range(5),
)
def test_a_line_that_is_longer_than_any_row_ends_the_reading(tmp_path, line, place, part_bytes):
    rows = b'"1";"2"\n' * (place // 8)
    with pytest.raises(SnapshotError, match=r"Empresas0\.zip has a line of more than 131,072 bytes"):
        list(parts(publish(tmp_path, rows + line + b"\n" + rows), part_bytes))


@pytest.mark.parametrize(("separator", "end"), [(b";", b""), (b'";"', b'"')])
def test_a_line_of_more_columns_than_memory_takes_ends_the_reading(tmp_path, separator, end):
    rows, widest = b'"1";"2"\n' * 70_000, end + separator * 1_000 + end
    assert sum(part.rows for part in parts(publish(tmp_path, rows + widest + b"\n" + rows))) == 140_001
    wider = publish(tmp_path, rows + separator + widest + b"\n" + rows)
    with pytest.raises(SnapshotError, match=r"Empresas0\.zip has a line of more than 1,000 semicolons"):
        list(parts(wider))


def test_the_widest_row_is_read(tmp_path):
    row = '"' + '";"'.join(["Ç" * 2000] * 30) + '"'
    assert lines_of(f'{row}\n{row}\n"1";"2"'.encode("latin-1")) == [row, row, '"1";"2"']


def test_odd_lines_take_a_bounded_memory(tmp_path):
    """A part is cleaned by pieces: of lines of one letter each is many times its size on the way."""
    file = publish(tmp_path, b"a\n" * (1 << 22))
    tracemalloc.start()
    try:
        for lines, rows, _ in parts(file):
            assert rows == lines.count(b"a") == 1 << 22
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_a_member_of_another_sum_is_damaged(tmp_path):
    file = publish(tmp_path, b'"1";"2"\n')
    file.path.write_bytes(file.path.read_bytes().replace(b'"2"', b'"3"'))
    with pytest.raises(SnapshotError, match=r"Empresas0\.zip is damaged"):
        list(parts(file))
