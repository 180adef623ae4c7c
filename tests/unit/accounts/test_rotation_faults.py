"""After any two faults during a rotation the owner has a working key."""

from collections.abc import Callable
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import InvalidKey, StoreUnavailable, UnconfirmedRotation
from tests.conftest import Clock
from tests.services.store import in_memory

OPERATIONS = 5  # of a rotation: two reads at most, a write, and two looks at one that is not confirmed
FAULTS = ("before", "after", "late")
"""An operation fails before or after it is applied, or is applied after the rotation has failed."""


class Failing:
    """The store, whose operations with these numbers fail."""

    def __init__(self, store: Any, faults: dict[int, str]) -> None:
        self._store = store
        self._faults = faults
        self._asked = 0
        self._late: list[Callable[[], Any]] = []

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def run(*arguments: Any, **named: Any) -> Any:
            fault, self._asked = self._faults.get(self._asked, ""), self._asked + 1
            if fault == "before":
                raise StoreUnavailable(fault)
            if fault == "late":
                self._late.append(lambda: getattr(self._store, operation)(*arguments, **named))
                raise StoreUnavailable(fault)
            result = getattr(self._store, operation)(*arguments, **named)
            if fault:
                raise StoreUnavailable(fault)
            return result

        return run

    def finish(self) -> None:
        for operation in self._late:
            operation()


def works(accounts: Accounts, key: str) -> bool:
    try:
        accounts.identify(key)
    except InvalidKey:
        return False
    return True


@pytest.mark.parametrize("places", [*combinations_with_replacement(range(OPERATIONS), 2)])
def test_two_faults_leave_the_owner_a_key(places) -> None:
    for kinds in product(FAULTS, FAULTS):
        for overlap in (0, 60):
            rotate_with_faults(places, kinds, overlap)


def rotate_with_faults(places, kinds, overlap) -> None:
    store, clock = in_memory(), Clock()
    sound = Accounts(store, "no demo", clock)
    held = [sound.open("free").api_key]
    caller, _ = sound.identify(held[0])
    failing: Any = Failing(store, dict(zip(places, kinds, strict=True)))
    try:
        held.append(Accounts(failing, "no demo", clock, lambda _: None).rotate(caller, overlap).api_key)
    except UnconfirmedRotation as unconfirmed:
        held.append(unconfirmed.api_key)
    except StoreUnavailable:
        pass
    else:
        assert works(sound, held[1])
    failing.finish()
    assert any(works(sound, key) for key in held)


def test_an_unconfirmed_rotation_says_nothing_of_its_key_in_a_log() -> None:
    unconfirmed = UnconfirmedRotation("brsk_secret")
    assert "brsk_secret" not in f"{unconfirmed} {unconfirmed!r}"
