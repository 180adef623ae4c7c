"""Actors at once, whose steps are taken in an order that is given."""

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Step = Callable[[Callable[[], Any]], Any]


class Stepping:
    """A store or a processor, each of whose operations waits for its turn."""

    def __init__(self, behind, step: Step) -> None:
        self._behind = behind
        self._step = step

    def __getattr__(self, operation: str):
        return lambda *of: self._step(lambda: getattr(self._behind, operation)(*of))


class Turns:
    """Who may take the next step. After the given order, the remaining actors continue one by one."""

    def __init__(self, order: Iterable[str], actors: Iterable[str]) -> None:
        self._order = list(order)
        self._left = list(actors)
        self._changed = threading.Condition()

    def step(self, who: str, action: Callable[[], Any]) -> Any:
        with self._changed:
            assert self._changed.wait_for(lambda: self._next() == who, timeout=30)
            if self._order:
                self._order.pop(0)
            try:
                return action()
            finally:
                self._changed.notify_all()

    def leave(self, who: str) -> None:
        with self._changed:
            self._left.remove(who)
            self._order = [other for other in self._order if other != who]
            self._changed.notify_all()

    def _next(self) -> str:
        return self._order[0] if self._order else self._left[0]


def together(order: Iterable[str], actors: dict[str, Callable[[Step], Any]]) -> list[Any]:
    """What the actors return, each in a separate thread, their steps taken in this order."""
    turns = Turns(order, actors)
    results: list[Any] = []

    def run(who: str) -> None:
        try:
            results.append(actors[who](lambda action: turns.step(who, action)))
        except BaseException as error:  # shown by the assertion on what they return
            results.append(error)
        finally:
            turns.leave(who)

    threads = [threading.Thread(target=run, args=(who,)) for who in actors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not [result for result in results if isinstance(result, BaseException)], results
    return results


def interleavings(first: list[str], second: list[str]) -> Iterator[list[str]]:
    """Every way to mix two sequences, each staying in its own order."""
    for places in itertools.combinations(range(len(first) + len(second)), len(first)):
        mine, others = iter(first), iter(second)
        yield [next(mine) if n in places else next(others) for n in range(len(first) + len(second))]
