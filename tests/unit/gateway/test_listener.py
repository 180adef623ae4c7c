"""Connections leave the process its descriptors, for every limit that a system may set."""

from __future__ import annotations

import resource

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.gateway.listener import (
    MIN_DESCRIPTORS,
    descriptor_limit,
    max_connections,
    raise_descriptor_limit,
)

FILES_AT_REST = 32
"""And connections that are accepted and not yet counted: libuv accepts one in a round of the event loop."""


class Limits:
    """The system's limits of one process, soft and hard."""

    def __init__(self, soft: int, hard: int, may_raise: bool = True) -> None:
        self.limits, self._may_raise = (soft, hard), may_raise

    def get(self, _: int) -> tuple[int, int]:
        return self.limits

    def set(self, _: int, limits: tuple[int, int]) -> None:
        if not self._may_raise:
            raise ValueError("not allowed to raise maximum limit")
        self.limits = limits


def use(patch: pytest.MonkeyPatch, limits: Limits) -> None:
    patch.setattr(resource, "getrlimit", limits.get)
    patch.setattr(resource, "setrlimit", limits.set)


@given(st.integers(MIN_DESCRIPTORS, 1 << 20))
def test_connections_and_files_at_rest_stay_below_what_is_kept_for_the_process(limit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        use(patch, Limits(limit, limit))
        assert max_connections() > 0
        assert limit - max_connections() - FILES_AT_REST >= min(256, limit // 4)


def test_a_thousand_descriptors_suffice_for_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Limits(1024, 1024))
    assert max_connections() >= 500


@pytest.mark.parametrize(("may_raise", "limit"), [(True, 4096), (False, 256)])
def test_the_soft_limit_is_raised_where_that_is_allowed(monkeypatch, may_raise: bool, limit: int) -> None:
    use(monkeypatch, Limits(256, 4096, may_raise))
    assert raise_descriptor_limit() == descriptor_limit() == limit


def test_too_few_are_an_error_that_says_how_many_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Limits(MIN_DESCRIPTORS - 1, MIN_DESCRIPTORS - 1))
    with pytest.raises(ValueError, match=f"{MIN_DESCRIPTORS} are needed"):
        raise_descriptor_limit()


def test_no_limit_is_a_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Limits(resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert raise_descriptor_limit() > MIN_DESCRIPTORS
