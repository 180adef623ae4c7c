"""The schedule's function: as much of a comparison as the time allows."""

from types import SimpleNamespace
from typing import Any

import pytest

from brskills_server.accounts.errors import StoreUnavailable
from functions.announce import app

CONTEXT = SimpleNamespace(get_remaining_time_in_millis=lambda: 900_000)


def test_it_ends_a_minute_before_its_time_and_says_what_is_left(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ends: list[float] = []

    def run(until: float) -> bool:
        ends.append(until)
        return len(ends) > 1

    monkeypatch.setattr(app, "announcer", SimpleNamespace(run=run))
    monkeypatch.setattr(app, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    for _ in range(2):
        app.handler({}, CONTEXT)
    assert ends == [1840.0, 1840.0]
    assert [record.getMessage() for record in caplog.records] == ["continued by the next run"]


def test_an_error_is_one_of_the_function_so_that_its_alarm_fires(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(_: float) -> Any:
        raise StoreUnavailable("away")

    monkeypatch.setattr(app, "announcer", SimpleNamespace(run=run))
    with pytest.raises(StoreUnavailable):
        app.handler({}, CONTEXT)


def test_without_a_snapshot_it_does_nothing() -> None:
    assert app.announcer is None
    app.handler({}, None)
