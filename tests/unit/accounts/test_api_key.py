from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts import api_key
from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY


def test_a_generated_key_is_well_formed_and_unlike_the_last() -> None:
    keys = {api_key.generate() for _ in range(200)}
    assert len(keys) == 200
    assert all(api_key.is_well_formed(key) and len(key) == 43 for key in keys)


@given(position=st.integers(5, 42), other=st.sampled_from("0Aaz9"))
def test_any_changed_character_is_noticed(position: int, other: str) -> None:
    key = api_key.generate()
    changed = key[:position] + other + key[position + 1 :]
    assert api_key.is_well_formed(changed) == (changed == key)


@given(st.text())
def test_any_text_may_be_checked(text: str) -> None:
    assert not api_key.is_well_formed(text)
    assert not api_key.is_well_formed("brsk_" + text)


def test_the_published_demo_key_has_the_form_of_a_key() -> None:
    assert api_key.is_well_formed(PUBLISHED_DEMO_KEY)


def test_the_digest_is_no_part_of_the_key() -> None:
    key = api_key.generate()
    assert len(api_key.digest(key)) == 64
    assert key[5:] not in api_key.digest(key)
