"""Some schedules of `make counting`, and faults that they must find."""

from __future__ import annotations

from typing import Any

from brskills_server.metering.releases import Releases
from brskills_server.metering.session import Session
from lab.counting.trial import Trial
from tests.services.store import in_memory


def find(*words: str) -> str:
    """Return the first fault of 300 schedules with one of the words, empty if there is none."""
    trial = Trial(in_memory())
    for number in range(300):
        trial.run(number)
        for fault in trial.broken:
            if any(word in fault for word in words):
                return fault
    return ""


def test_no_call_is_lost_or_given_away() -> None:
    assert find("") == ""


def test_a_release_that_is_applied_twice_is_found(monkeypatch) -> None:
    send = Releases._send

    def forgetful(self: Releases, release: Any, claim: Any, left: int = 0, *, again: bool) -> int | None:
        name = f"{release.id}-{self._clock()}-{id(object())}" if again else release.id
        return send(self, release._replace(id=name), claim, left, again=False)

    monkeypatch.setattr(Releases, "_send", forgetful)
    assert find("given away", "fewer calls")


def test_a_counted_answer_that_does_not_leave_is_found(monkeypatch) -> None:
    def take_allowance(self: Session, body_bytes: int) -> None:
        if self.items > 1:
            self._ledger.allowance.take(self.caller, 1)

    monkeypatch.setattr(Session, "take_allowance", take_allowance)
    assert find("lost")


def test_a_release_that_is_not_sent_again_is_found(monkeypatch) -> None:
    monkeypatch.setattr(Releases, "confirm", lambda self: None)
    assert find("lost")


def test_an_answer_that_is_not_settled_is_found(monkeypatch) -> None:
    monkeypatch.setattr(Session, "settle", lambda self: None)
    assert find("given away")
