"""A signal while a context is being made."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from brskills_server.gateway.uninterrupted import END_SIGNALS, uninterrupted


@pytest.fixture(params=END_SIGNALS)
def number(request: pytest.FixtureRequest) -> Iterator[int]:
    """A signal that raises ``SystemExit``, as in the gateway until its supervisor handles it."""
    before = signal.signal(request.param, lambda received, _: sys.exit(128 + received))
    yield request.param
    signal.signal(request.param, before)


def test_a_signal_ends_the_process_after_the_folder_is_known_and_so_removed(
    number: int, tmp_path: Path
) -> None:
    def make() -> TemporaryDirectory[str]:
        made = TemporaryDirectory(dir=tmp_path)
        signal.pthread_kill(threading.get_ident(), number)
        assert list(tmp_path.iterdir())
        return made

    with pytest.raises(SystemExit) as ended, uninterrupted(make):
        pytest.fail("the signal was lost")
    assert ended.value.code == 128 + number
    assert not list(tmp_path.iterdir())


def test_signals_are_handled_again_where_it_could_not_be_made(number: int) -> None:
    def make() -> TemporaryDirectory[str]:
        raise OSError

    with pytest.raises(OSError), uninterrupted(make):
        pass
    with pytest.raises(SystemExit):
        signal.pthread_kill(threading.get_ident(), number)
