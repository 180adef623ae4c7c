"""Long computing takes turns, so that at most one of it delays what is short."""

from __future__ import annotations

import threading
from typing import Any
from unittest.mock import MagicMock

import pytest

from brskills_server.metering.session import Session
from brskills_server.skills import turns
from brskills_server.skills.batch import check_item
from brskills_server.skills.cnpj.look_up_company import LOOK_UP_COMPANY
from brskills_server.skills.skill import Call
from brskills_server.skills.turns import LONG, Turns, each_in_turns
from brskills_server.skills.watches.wanted import Wanted, read_wanted
from brskills_server.skills.watches.watch_companies import WATCH_COMPANIES
from brskills_server.watches.watch import Added, Watch
from tests.services.gateway import eventually
from tests.simulator.companies import numbers
from tests.unit.skills.test_create_pix_code import CHARGE, create


def test_who_has_waited_longest_is_next(monkeypatch: pytest.MonkeyPatch) -> None:
    fair, done = Turns(), list[Any]()
    monkeypatch.setattr(turns, "LONG", fair)

    def other() -> None:
        with fair:
            done.append("other")

    def work(item: int) -> int:
        if not item:
            thread.start()
            eventually(lambda: len(fair._waiting) == 2)
        done.append(item)
        return item

    thread = threading.Thread(target=other)
    assert each_in_turns(work, range(12)) == [*range(12)]
    thread.join()
    assert done == [*range(10), "other", 10, 11]


@pytest.mark.parametrize("form", ["png", "svg"])
def test_a_code_waits_for_its_turn_only_to_be_drawn(session: Session, form: str) -> None:
    drawn = threading.Event()

    def draw() -> None:
        create({**CHARGE, "qr": form}, session)
        drawn.set()

    with LONG:
        thread = threading.Thread(target=draw)
        thread.start()
        eventually(lambda: len(LONG._waiting) == 2)
        assert "qr" not in create(CHARGE, session)
        assert not drawn.is_set()
    thread.join()
    assert drawn.is_set()


def test_many_watches_are_written_by_parts() -> None:
    wanted = [(number, None) for root in range(5) for number in numbers(f"1122233{root}", 50)]
    call, parts = MagicMock(spec=Call), list[int]()

    def add(_account: str, _limit: int | None, some: Any) -> list[Added]:
        parts.append(len(some))
        return [Added(Watch(*one, 1), is_new=True) for one in some]

    call.watches.add = add
    call.find_account.return_value.plan = "enterprise"
    answer = WATCH_COMPANIES.answer(Wanted(wanted, is_list=True), call).content["resultados"]
    assert [entry["resposta"]["cnpj"] for entry in answer] == [number for number, _ in wanted]
    assert parts == [98, 98, 54]


def test_an_error_of_an_item_keeps_no_frames() -> None:
    wrong = {"cnpj": "1", "x": 1}
    (watched,) = read_wanted({"cnpjs": [wrong]}).items
    for error in (watched, check_item(LOOK_UP_COMPANY, wrong).error):
        assert isinstance(error, Exception)
        assert (error.__context__, error.__traceback__) == (None, None)
