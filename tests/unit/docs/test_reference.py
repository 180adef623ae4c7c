"""The documents of docs/reference are generated from the code that they describe."""

from checks.reference.documents import FOLDER, documents
from tests.for_each import for_each

MADE = documents()


def test_every_document_is_generated() -> None:
    assert {path.name for path in FOLDER.glob("*.md")} == MADE.keys()


@for_each("name", MADE)
def test_a_document_is_current(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == MADE[name], "run `make reference`"
