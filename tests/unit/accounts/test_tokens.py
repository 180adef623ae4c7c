"""Codes, tokens and client ids are recognisable, checked, and never mistaken for each other or for keys."""

import re

from hypothesis import given
from hypothesis import strategies as some

from brskills_server.accounts import api_key, tokens
from tests.for_each import for_each

FORMS = (tokens.CODE, tokens.ACCESS, tokens.REFRESH, tokens.CLIENT)
PARTS = {
    tokens.CODE: ("i" * 16, "s" * 32),
    tokens.ACCESS: ("i" * 16, "s" * 32),
    tokens.REFRESH: ("i" * 16, "f" * 32, "t" * 32),
    tokens.CLIENT: ("i" * 16,),
}
LENGTHS = {tokens.CODE: 62, tokens.ACCESS: 62, tokens.REFRESH: 94, tokens.CLIENT: 30}


@for_each("form", FORMS)
def test_a_token_is_read_by_its_form_alone(form) -> None:
    text = tokens.write(form, *PARTS[form])
    assert re.fullmatch(r"brsk_(ac|at|rt|cl)_[0-9A-Za-z]+", text)
    assert len(text) == LENGTHS[form]
    assert {other: tokens.read(other, text) for other in FORMS} == dict.fromkeys(FORMS) | {form: PARTS[form]}
    assert not api_key.is_well_formed(text)
    assert tokens.read(form, api_key.generate()) is None


@given(some.sampled_from(FORMS), some.integers(8, 93), some.sampled_from("0aZ_-é\n "))
def test_one_other_character_is_enough_to_refuse_it(form, place, character) -> None:
    text = tokens.write(form, *PARTS[form])
    changed = text[:place] + character + text[place + 1 :]
    assert (tokens.read(form, changed) is None) == (changed != text)


@given(some.sampled_from(FORMS), some.text())
def test_anything_else_is_refused(form, text) -> None:
    assert tokens.read(form, text) is None
    assert tokens.read(form, form + text) is None


def test_secrets_are_random_and_long_enough() -> None:
    secrets = {tokens.new_secret() for _ in range(1000)}
    assert len(secrets) == 1000
    assert all(re.fullmatch("[0-9A-Za-z]{32}", secret) for secret in secrets)
    assert len({tokens.new_id() for _ in range(1000)}) == 1000
