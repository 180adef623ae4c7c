"""A log names where an exception came from, and neither its message nor folders of the machine."""

from brskills_server.web.places import places_of


def fail(text: str) -> None:
    raise ValueError(text)


def test_the_calls_are_named_from_the_outermost() -> None:
    try:
        fail("not to be printed")
    except ValueError as error:
        outer, inner = places_of(error.__traceback__)
    assert outer.startswith("test_places.py:")
    assert outer.endswith(" test_the_calls_are_named_from_the_outermost")
    assert inner.startswith("test_places.py:")
    assert inner.endswith(" fail")


def recurse() -> None:
    recurse()


def test_of_an_endless_recursion_the_calls_in_the_middle_are_left_out() -> None:
    try:
        recurse()
    except RecursionError as error:
        places = places_of(error.__traceback__)
    assert len(places) == 31
    assert places[0].endswith(" test_of_an_endless_recursion_the_calls_in_the_middle_are_left_out")
    assert places[10].endswith(" more")
    assert places[-1].endswith(" recurse")


def test_what_was_not_raised_came_from_nowhere() -> None:
    assert places_of(None) == []
