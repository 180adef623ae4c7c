"""The small tables of a month."""

import pytest

from brskills_server.snapshot_builder.edition import read_table
from brskills_server.snapshot_builder.errors import SnapshotError
from tests.unit.snapshot_builder.published_file import publish


def test_a_table_is_codes_and_texts(tmp_path):
    content = '"01";"EXTINCAO  POR ENCERRAMENTO"\n"02";"INCORPORAÇÃO"\r\n'.encode("latin-1")
    assert read_table(publish(tmp_path, content, "Motivos")) == {
        "01": "EXTINCAO POR ENCERRAMENTO",
        "02": "INCORPORAÇÃO",
    }


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'"01";"A";"B"\n',
        b'"A";"B"\n',
        b"<html>\n",
        b'"0111301";"ARROZ"\n',
        '"²";"A"\n'.encode("latin-1"),
    ],
)
def test_what_is_not_its_table_is_refused(tmp_path, content):
    with pytest.raises(SnapshotError, match=r"Motivos\.zip is"):
        read_table(publish(tmp_path, content, "Motivos"))


def test_a_text_without_an_end_and_a_table_that_is_too_large_are_refused(tmp_path):
    with pytest.raises(SnapshotError, match=r"Motivos\.zip has a line of more than"):
        read_table(publish(tmp_path, b'"01";"' + b"A" * 200_000, "Motivos"))
    with pytest.raises(SnapshotError, match=r"Motivos\.zip has 4,194,310 bytes, too many for a small table"):
        read_table(publish(tmp_path, b'"01";"A"\n' * 466_034 + b"\n\n\n\n", "Motivos"))
