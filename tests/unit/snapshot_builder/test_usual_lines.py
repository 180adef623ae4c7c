"""Lines of usual values give what the rules for their columns give."""

import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brskills_server.snapshot_builder.layout import LAYOUTS
from brskills_server.snapshot_builder.lines import parts
from brskills_server.snapshot_builder.machine import Share
from brskills_server.snapshot_builder.macros import connect
from brskills_server.snapshot_builder.reading import read_file
from tests.register.company import companies
from tests.register.layout import KINDS, fields_of, line
from tests.unit.snapshot_builder.published_file import publish

TEXTS = st.text(st.characters(codec="iso-8859-1", exclude_characters="\n\r"), max_size=12)
NEARLY = st.sampled_from([
    "", " ", "A", " A", "A ", "A B", "A  B", "*A", "A*", "**", "a@b.c", "ÁÉ õ", "×", "A\xa0B", "A\x00",
    "1234567890", "12345678901", "123456789 01", "123A45678901", "ÇAÉ 11144477735", "1 A 11144477735",
    "11144477735 A", "A 111444777351", "A  11144477735", "12.345.678 A 111.444.777-35", "1111111111Á1",
    ";", ";A", "A;", "A;B", '"', '""', 'A";', '";"', "S/A", "A & B",
    "0", "00", "000", "0000", "0000000", "00000000", "7", "07", "007", "0007", "1234", "12345678",
    "01001000", "20240131", "20240228", "20240229", "20230229", "19000101", "17991231", "21000101",
    "20241301", "20240431",
    "0,00", "1000,00", "01,00", ",00", "1,5", "99999999999,99", "999999999999,00", "1234567890123,00",
    "***000000**", "***123456**", "11144477735", "12ABC34501DE35", "12abc34501de35", "11222333000181",
    "6204000,6204001", "6204000,0000000", "6204000,", "0111301", "S", "N", "s", "1", "2", "3", "4", "9",
])  # fmt: skip


def lines_of(kind: str) -> st.SearchStrategy[str]:
    """Return lines of a register in which up to three columns have another value, mostly a usual one."""
    layout = LAYOUTS[kind]
    rows = [list(row) for company in companies(5, 40) for row in fields_of(company, kind)]
    others = [
        st.tuples(st.just(column), st.from_regex(form.usual, fullmatch=True) | NEARLY | TEXTS)
        for column, form in enumerate(layout.fields.values(), len(layout.key))
    ]

    def changed(row: list[str], values: list[tuple[int, str]]) -> list[str]:
        return [dict(values).get(column, value) for column, value in enumerate(row)]

    whole = st.builds(changed, st.sampled_from(rows), st.lists(st.one_of(others), max_size=3))
    quoted = whole.map(lambda values: '"' + '";"'.join(values) + '"')
    return st.one_of(quoted, quoted, quoted, whole.map(";".join), quoted.map(lambda text: f" {text[:-1]}"))


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    opened = connect(str(tmp_path_factory.mktemp("spill")), Share(memory=700_000_000, threads=2))
    yield opened
    opened.close()


def rows_of(connection: duckdb.DuckDBPyConnection, content: bytes, kind: str) -> list[tuple[object, ...]]:
    with tempfile.TemporaryDirectory() as at:
        file = publish(Path(at), content, kind)
        read_file(connection, file, Path(at) / "rows", parts(file))
        found = "SELECT * FROM read_parquet(?, hive_types_autocast = false) ORDER BY ALL"
        return connection.execute(found, [f"{at}/rows/*/*.parquet"]).fetchall()


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=settings.default.max_examples // 6)
@given(data=st.data())
def test_usual_values_are_read_as_the_rules_read_them(connection, kind, data):
    layout = LAYOUTS[kind]
    lines = data.draw(st.lists(lines_of(kind), min_size=1, max_size=30))
    content = "\n".join(lines).encode("latin-1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(LAYOUTS, kind, replace(layout, key=tuple("no" for _ in layout.key)))
        by_rules = rows_of(connection, content, kind)
    assert rows_of(connection, content, kind) == by_rules


@pytest.mark.parametrize("kind", KINDS)
def test_most_lines_of_a_register_are_usual(kind):
    lines = [line(row) for company in companies(3, 500) for row in fields_of(company, kind)]
    usual = [one for one in lines if re.fullmatch(LAYOUTS[kind].usual, one)]
    assert len(usual) > 0.7 * len(lines)
