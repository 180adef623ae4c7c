"""A loop in a thread, where the system allows no further thread for a moment."""

from __future__ import annotations

import threading

import pytest

from brskills_server.outbound.loop_thread import LoopThread


async def nothing() -> str:
    return "done"


def test_a_loop_whose_thread_could_not_start_starts_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    loop = LoopThread(nothing)  # type: ignore[arg-type]
    work = nothing()
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError):
            loop.run(work, 30)
    assert loop.run(work, 30) == "done"
    loop.close()
