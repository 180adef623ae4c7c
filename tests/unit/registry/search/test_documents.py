"""The words by which establishments are indexed."""

from hypothesis import example, given
from hypothesis import strategies as st

from brskills_server.registry.search import documents
from brskills_server.registry.search.documents import name_words
from brskills_server.registry.search.words import fold
from tests.unit.registry.search.test_words import TEXTS

_PARTS = st.lists(
    st.sampled_from(["S", "A", "s", "S/A", "S-A", "X.S", "***444777**", "-", "BAR", "&", "COMPANHIA"])
)


@given(TEXTS | _PARTS.map(" ".join))
@example("S A")
@example("BAR S - A")
def test_a_name_is_indexed_by_the_words_that_it_is_folded_to_and_their_beginnings(name: str) -> None:
    indexed = name_words(name).split()
    assert [word for word in indexed if "_" not in word] == [*fold(name)]
    assert {word for word in indexed if "_" in word} == {
        f"{word[:4]}_" for word in fold(name) if len(word) >= 4
    }


def test_no_parts_of_long_names_are_kept_in_memory() -> None:
    kept = documents._known_words.cache_info().currsize
    assert name_words(f"A{'B' * 200}") == f"ABBB_ A{'B' * 39}"
    assert documents._known_words.cache_info().currsize == kept
