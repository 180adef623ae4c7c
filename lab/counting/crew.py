"""Threads that run one at a time, scheduled by another."""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random


class Crew:
    """Actors in reused threads, since starting them for each schedule would take most of its time."""

    def __init__(self) -> None:
        self._back = threading.Semaphore(0)
        self._seats: list[_Seat] = []

    def run(self, actors: list[Callable[[], None]], random: Random, before_step: Callable[[], None]) -> None:
        """Run actors at once, their steps in a random order, until all have returned."""
        while len(self._seats) < len(actors):
            self._seats.append(_Seat(self._back))
        active = self._seats[: len(actors)]
        for seat, actor in zip(active, actors, strict=True):
            seat.actor = actor
        while active:
            seat = random.choice(active)
            before_step()
            seat.turn.release()
            self._back.acquire()
            if seat.error:
                self._seats = []  # the others never get another turn
                raise seat.error
            active = [seat for seat in active if seat.actor]

    def step(self) -> None:
        """Let others run; return when it is this actor's turn. In another thread, do nothing."""
        seat = _Seat.of_thread()
        if seat is not None:
            self._back.release()
            seat.turn.acquire()


class _Seat:
    """A thread and the actor in it, ``None`` where it has returned."""

    _own = threading.local()

    def __init__(self, back: threading.Semaphore) -> None:
        self.turn = threading.Semaphore(0)
        self.actor: Callable[[], None] | None = None
        self.error: BaseException | None = None
        threading.Thread(target=self._work, args=(back,), daemon=True).start()

    @classmethod
    def of_thread(cls) -> _Seat | None:
        """Return the seat of the calling thread, if it has one."""
        return getattr(cls._own, "seat", None)

    def _work(self, back: threading.Semaphore) -> None:
        self._own.seat = self
        while True:
            self.turn.acquire()
            try:
                if self.actor:
                    self.actor()
            except BaseException as error:  # raised again by the thread that waits
                self.error = error
            self.actor = None
            back.release()
