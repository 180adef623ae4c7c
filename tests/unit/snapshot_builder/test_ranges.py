"""Ranges of keys by the rows in them."""

import os

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.snapshot_builder.machine import share_of_machine
from brskills_server.snapshot_builder.ranges import BEHIND_ALL, Rows, ranges

PREFIXES = st.text("0123456789ABCXYZ", min_size=4, max_size=4)


@given(st.dictionaries(PREFIXES, st.integers(1, 50)), st.integers(1, 100))
def test_every_prefix_is_in_one_range_of_few_rows(numbers, most):
    counted = [Rows(prefix, prefix[:2], numbers[prefix]) for prefix in sorted(numbers)]
    found = list(ranges(counted, "", most))
    assert [one.start for one in found] == ["", *(one.end for one in found[:-1])]
    assert found[-1].end == BEHIND_ALL
    for one in found:
        inside = [rows for rows in counted if one.start <= rows.prefix < one.end]
        assert one.number == sum(rows.number for rows in inside)
        assert set(one.parts) == {rows.part for rows in inside}
        assert one.number <= most or len(inside) == 1


@given(st.dictionaries(PREFIXES, st.integers(1, 50), min_size=1), st.integers(1, 100), st.integers(1, 100))
def test_ranges_go_on_where_others_ended(numbers, most, fewer):
    counted = [Rows(prefix, prefix[:2], numbers[prefix]) for prefix in sorted(numbers)]
    first = next(ranges(counted, "", most))
    others = list(ranges(counted, first.end, fewer))
    assert first.number + sum(one.number for one in others) == sum(numbers.values())
    assert list(ranges(counted, BEHIND_ALL, most)) == []


def test_a_build_takes_half_of_the_memory_at_most():
    share = share_of_machine()
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert 0 < share.memory <= total / 2
    assert share.threads >= 1
    assert 0 < share.rows <= 3_000_000
