"""The words of names in SQL are those of Python."""

from collections.abc import Iterator
from contextlib import closing

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brskills_server.registry.search.documents import name_words
from brskills_server.snapshot_builder.indexed_words import NAMED
from brskills_server.snapshot_builder.machine import Share
from brskills_server.snapshot_builder.macros import connect
from tests.unit.registry.search.test_words import TEXTS

_PARTS = ("S", "A", "s", "S/A", "S/Á", "S-A", "X.S", "SÁ", "GAS", "***444777**", "**1**2**", "-", "BAR", "&",
          "COMPANHIA", "LIMITADÁ", "PADARIA_X", "12.345.678", "Ø", "ª", "SÃO", "A" * 41)  # fmt: skip
_NAMES = NAMED.format("x", "(SELECT unnest(?) AS x)")
_NAME_WORDS = f"SELECT words_of_name(x, letters, words_of_letters) FROM ({_NAMES})"  # noqa: S608, our SQL


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    opened = connect(str(tmp_path_factory.mktemp("spill")), Share(memory=700_000_000, threads=2))
    with closing(opened):
        yield opened


def _words(connection: duckdb.DuckDBPyConnection, name: str) -> list[str]:
    ((found,),) = connection.execute(_NAME_WORDS, [[name]]).fetchall()
    return str(found).split()


@given(
    name=TEXTS
    | st.lists(st.sampled_from(_PARTS)).map(" ".join)
    | st.lists(st.sampled_from(_PARTS)).map("".join)
)
@example(name="BAR S - A")
@example(name="BAR  S A ")
def test_a_name_has_the_same_words(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    assert _words(connection, name) == name_words(name).split()


def test_each_letter_is_read_the_same_way(connection: duckdb.DuckDBPyConnection) -> None:
    names = [f"AB{chr(code)}CDEF" for code in range(1, 0x2100)]
    found = connection.execute(_NAME_WORDS, [names]).fetchall()
    assert [words for (words,) in found] == [name_words(name) for name in names]
