"""Cursors: bound to a search and a month, and of one spelling."""

from dataclasses import fields, replace
from datetime import date
from string import ascii_letters, digits
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.cursor import Cursor, InvalidCursor, read_cursor, write_cursor
from tests.for_each import for_each

OTHER_VALUES: dict[str, Any] = {
    "names": (("PADARIA",),),
    "opened_from": date(2020, 1, 1),
    "opened_to": date(2020, 1, 1),
    "head_office": False,
    "mei": False,
    "simples": True,
}
SEARCH = Criteria(states=("SP",), statuses=("02",))
CURSOR = Cursor("33000167000101", "5f1d0c")
TEXT = write_cursor(CURSOR, SEARCH)

numbers = st.text(digits + "ABC", min_size=14, max_size=14)
editions = st.text(ascii_letters + digits, min_size=1, max_size=40)


@given(cursor=st.builds(Cursor, numbers, editions))
def test_a_cursor_is_read_as_it_was_written_and_needs_no_encoding(cursor: Cursor) -> None:
    text = write_cursor(cursor, SEARCH)
    assert read_cursor(text, SEARCH) == cursor
    assert {*text} <= {*ascii_letters, *digits, "-", "_"}
    assert len(text) < 90


@for_each("name", [field.name for field in fields(Criteria)])
def test_it_is_of_no_search_with_another_field(name: str) -> None:
    other = replace(SEARCH, **{name: OTHER_VALUES.get(name, ("33000167",))})
    with pytest.raises(InvalidCursor):
        read_cursor(TEXT, other)
    assert read_cursor(write_cursor(CURSOR, other), other) == CURSOR


@for_each("place", range(len(TEXT)))
def test_it_is_invalid_with_another_character_anywhere(place: int) -> None:
    for char in "A_x=":
        if char != TEXT[place]:
            with pytest.raises(InvalidCursor):
                read_cursor(TEXT[:place] + char + TEXT[place + 1 :], SEARCH)


@given(text=st.text() | st.text(ascii_letters + digits + "-_=", max_size=120))
def test_any_other_text_is_invalid(text: str) -> None:
    with pytest.raises(InvalidCursor):
        read_cursor(text, SEARCH)


@for_each("text", ["", TEXT[:-1], TEXT + "=", TEXT + "A", f" {TEXT}", "A" * 10_000, "\ud800"])
def test_these_are_too(text: str) -> None:
    with pytest.raises(InvalidCursor):
        read_cursor(text, SEARCH)


def test_it_keeps_its_form_between_releases() -> None:
    """A caller who pages while a release is rolled out gets every page."""
    assert TEXT == "XM92ERfKXbIzMzAwMDE2NzAwMDEwMTVmMWQwYw"
