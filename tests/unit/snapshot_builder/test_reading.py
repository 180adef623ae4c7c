"""Rows of a published file, with rubbish between them."""

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.lines import parts
from brskills_server.snapshot_builder.machine import Share
from brskills_server.snapshot_builder.macros import connect
from brskills_server.snapshot_builder.reading import FileCounts, count_rows, read_file
from brskills_server.snapshot_builder.source_files import PublishedFile
from tests.register.company import companies
from tests.register.layout import COMPANIES, ESTABLISHMENTS, KINDS, PARTNERS, fields_of, line
from tests.unit.snapshot_builder.published_file import publish

GOOD = {
    kind: [line(row) for company in companies(1, 5) for row in fields_of(company, kind)] for kind in KINDS
}
# Without digits no rubbish is of a root that exists, which would make that one unknown.
RUBBISH = st.lists(
    st.text('";\n\r\0 ABÇ', max_size=20) | st.sampled_from(["lixo", '"', '";"', ";;;;;;"]), max_size=2
)


@pytest.fixture(scope="module")
def connection(tmp_path_factory):
    opened = connect(str(tmp_path_factory.mktemp("spill")), Share(memory=700_000_000, threads=2))
    yield opened
    opened.close()


def rows_of(connection, file: PublishedFile, folder: Path) -> list[tuple[str, ...]]:
    """Return all rows that were read, with their part last."""
    read_file(connection, file, folder, parts(file))
    found = f"SELECT * FROM read_parquet('{folder}/*/*.parquet', hive_types_autocast = false) ORDER BY ALL"  # noqa: S608, our folder
    return connection.execute(found).fetchall()


@settings(max_examples=settings.default.max_examples // 3)
@given(st.data(), st.sampled_from(KINDS))
def test_no_row_is_touched_by_rubbish(connection, data, kind):
    good = GOOD[kind]
    between = [part for row in good for part in (*data.draw(RUBBISH), row)]
    with tempfile.TemporaryDirectory() as at:
        folder = Path(at)
        alone = rows_of(
            connection, publish(folder, "\n".join(good).encode("latin-1"), kind), folder / "alone"
        )
        beside = rows_of(
            connection, publish(folder, "\n".join(between).encode("latin-1"), kind), folder / "beside"
        )
        counts = count_rows(connection, folder / "beside")
    assert [row for row in beside if row[-1] != "nameless"] == alone
    assert counts == FileCounts(len(beside), len(beside) - len(alone), len(beside) - len(alone))


def test_a_rejected_row_leaves_nothing_but_whose_it_is(connection, tmp_path):
    rejected = [
        "JOAO FICTICIO 11144477735",
        '"11144477735";"2062";"50"',
        '"10000000";"NOME 11144477735";"2062"',
    ]
    file = publish(tmp_path, "\n".join([*rejected, *GOOD[COMPANIES]]).encode("latin-1"))
    rows = rows_of(connection, file, tmp_path / "rows")
    assert {row for row in rows if row[-1] in {"broken", "nameless"}} == {
        ("", "", "", "", "", "", "", 0, "nameless"),
        ("10000000", "", "", "", "", "", "", 0, "broken"),
    }
    assert count_rows(connection, tmp_path / "rows") == FileCounts(len(rows), 3, 2)
    assert not any(b"11144477735" in path.read_bytes() for path in tmp_path.rglob("*.parquet"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_that_is_cut_off_behind_its_number_is_rejected_for_that_number(connection, tmp_path, kind):
    row = GOOD[kind][0]
    number = ";".join(row.split(";")[: 3 if kind == ESTABLISHMENTS else 1])
    cut = [row[:end] for end in range(len(number) - 1, len(row))]
    rows = rows_of(connection, publish(tmp_path, "\n".join(cut).encode("latin-1"), kind), tmp_path / "rows")
    assert {(key, part) for key, *_, part in rows} == {(re.sub('[";]', "", number), "broken")}
    assert len(rows) == len(cut)


@pytest.mark.parametrize("name", ['LOJA";', ';"LOJA', '";', 'A";";"B'])
def test_a_row_that_can_be_split_in_two_ways_is_rejected(connection, tmp_path, name):
    """``"LOJA";";"2062"`` may be a name that ends in a semicolon, or a nature that begins with one."""
    file = publish(tmp_path, f'"10000000";"{name}";"2062";"49";"1,00";"01";""'.encode())
    read_file(connection, file, tmp_path / "rows", parts(file))
    assert count_rows(connection, tmp_path / "rows") == FileCounts(1, 1, 0)


@pytest.mark.parametrize("name", [";", "LOJA;", ";LOJA", 'LOJA"', '"LOJA', 'A;"B'])
def test_other_quotes_and_semicolons_split_in_one_way(connection, tmp_path, name):
    file = publish(tmp_path, f'"10000000";"{name}";"2062";"49";"1,00";"01";""'.encode())
    ((_, read, *_),) = rows_of(connection, file, tmp_path / "rows")
    assert read == name


def test_a_row_with_a_number_for_a_kind_does_not_bypass_the_mask(connection, tmp_path):
    row = '"10000000";"11144477735";"NOME";"";"";"";"";"";"";"";""'
    (found,) = rows_of(connection, publish(tmp_path, row.encode(), PARTNERS), tmp_path / "rows")
    assert "11144477735" not in str(found)


def test_a_file_without_rows_is_read(connection, tmp_path):
    file = publish(tmp_path, b"\n\n")
    read_file(connection, file, tmp_path / "rows", parts(file))
    assert count_rows(connection, tmp_path / "rows") == FileCounts(0, 0, 0)


def test_a_folder_may_have_any_name(connection, tmp_path):
    """Neither SQL nor a pattern of file names: what is in ``a`` is not in ``?``."""
    for rows, name in enumerate(("a", "it's", "[a]", "?", "*", "{a,b}", "ação %20 #", '"'), 1):
        file = publish(tmp_path, "\n".join(GOOD[COMPANIES] * rows).encode("latin-1"))
        read_file(connection, file, tmp_path / name / "rows", parts(file))
        assert count_rows(connection, tmp_path / name / "rows") == FileCounts(5 * rows, 0, 0)


def test_an_error_quotes_no_row(connection, tmp_path):
    file = publish(tmp_path, b'"10000000";"SEGREDO";"' + b"x" * 3_000_000 + b'"\n"1"\n')
    with pytest.raises(SnapshotError) as raised:
        read_file(connection, file, tmp_path / "rows", parts(file))
    assert "SEGREDO" not in str(raised.value)
    assert not (tmp_path / "rows").exists()


def test_a_line_that_is_lost_ends_the_reading(connection, tmp_path):
    file = publish(tmp_path, "\n".join([*GOOD[COMPANIES], "lixo", " ", ""]).encode("latin-1"))
    (part,) = parts(file)
    assert part.rows == len(GOOD[COMPANIES]) + 1
    fewer = part._replace(lines=part.lines.partition(b"\n")[2])
    with pytest.raises(
        SnapshotError, match=rf"Empresas0\.zip has {part.rows} lines, and {part.rows - 1} were"
    ):
        read_file(connection, file, tmp_path / "rows", [fewer])
    assert not (tmp_path / "rows").exists()
