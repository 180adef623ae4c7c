"""The contract of every history of the register, as watches are compared with it: step by step."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from brskills_server.registry.snapshot.changes import GONE
from brskills_server.registry.snapshot.history import RegisterHistory, Step
from brskills_server.registry.store import StoreFault
from brskills_server.watches.path import Part, find_path
from tests.integration.adapters.copies.conftest import Shelf
from tests.integration.adapters.copies.months import CNPJ, OTHER, ROOT
from tests.integration.adapters.copies.test_history import (
    AUGUST,
    FIRST,
    JULY,
    RAISED,
    RENAMED,
    SECOND,
    SEPTEMBER,
    THIRD,
    history,
    put,
)

__all__ = ["history", "put"]
UNDONE = Step(SECOND, FIRST, date.fromisoformat(JULY), date.fromisoformat(AUGUST))
LAST = Step(THIRD, FIRST, date.fromisoformat(JULY), date.fromisoformat(SEPTEMBER))


@pytest.fixture
def branched(shelf: Shelf, put: Callable[..., None]) -> None:
    """July, then August, then back to July, and September from there."""
    put(FIRST, JULY)
    put(SECOND, AUGUST, (FIRST, JULY), root=RENAMED, other=GONE)
    shelf.place.switch(JULY)
    put(THIRD, SEPTEMBER, (FIRST, JULY), cnpj=RAISED)


@pytest.mark.usefixtures("branched")
def test_steps_are_known_without_their_rows(history: RegisterHistory) -> None:
    assert history.steps(THIRD) == [LAST]
    assert history.steps(FIRST) == []
    assert history.steps("unknown") == []
    assert history.rows_of(LAST, [ROOT, CNPJ, OTHER]) == {CNPJ: RAISED}
    assert history.rows_of(LAST, [f"{n:014}" for n in range(999)]) == {}
    with pytest.raises(StoreFault):
        history.rows_of(LAST._replace(id="unknown"), [CNPJ])


@pytest.mark.usefixtures("branched")
def test_a_snapshot_that_was_rolled_back_is_undone_first(history: RegisterHistory) -> None:
    path = find_path(history, SECOND, THIRD)
    assert path == [Part(LAST, LAST), Part(UNDONE, LAST)]
    bodies = history.rows_of(UNDONE, [ROOT, CNPJ, OTHER])
    assert bodies == {ROOT: RENAMED, OTHER: GONE}
    assert path[1].rows(bodies, CNPJ).company == "rNEW \\N Ç\x1cOLD"
    assert path[1].rows(bodies, OTHER).establishment == "+"
    assert find_path(history, FIRST, THIRD) == path[:1]
    assert find_path(history, THIRD, FIRST) == []
    assert find_path(history, THIRD, THIRD) == []
    assert find_path(history, "unknown", THIRD) is None
    assert find_path(history, THIRD, "unknown") is None
