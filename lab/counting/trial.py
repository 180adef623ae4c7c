"""Many schedules over one store, with totals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from brskills_server.accounts.account import Account, Caller
from brskills_server.adapters.stores import AccessStore
from lab.counting.crew import Crew
from lab.counting.schedule import draw
from lab.counting.world import World


@dataclass
class Totals:
    """Calls that were counted, answered, left in doubt by an unconfirmed write, or left by dead workers."""

    schedules: int = 0
    counted: int = 0
    answered: int = 0
    doubtful: int = 0
    orphaned: int = 0
    deaths: int = 0

    def __str__(self) -> str:
        return (
            f"{self.schedules} schedules, {self.counted} calls counted, {self.answered} answered, "
            f"{self.doubtful} in doubt, {self.orphaned} of workers that died ({self.deaths} deaths)"
        )


class Trial:
    """``broken``: a line for each schedule that does not hold."""

    def __init__(self, store: AccessStore, seed: int = 0) -> None:
        self.totals = Totals()
        self.broken: list[str] = []
        self._store, self._seed = store, seed
        self._crew = Crew()
        self._run = uuid4().hex[:8]
        self._bystander = Caller(f"by-{self._run}", f"by-{self._run}")
        name = self._bystander.account
        assert store.open_account(Account(name, "enterprise", None, {name: 0}))

    def run(self, number: int, trace: Callable[[str], None] | None = None) -> None:
        """Run the schedule with this number."""
        schedule, random = draw(number, self._seed)
        names = tuple(f"{kind}{number}-{self._run}" for kind in "ads")
        world = World(self._store, self._crew, schedule, random, names, trace)
        if trace:
            trace(str(schedule))
        try:
            faults = world.run(self._bystander)
        except Exception as error:
            faults = [f"{type(error).__name__}: {error}"]
        self.broken += [f"schedule {number}: {fault}" for fault in faults]
        self._add(world)

    def _add(self, world: World) -> None:
        totals = self.totals
        totals.schedules += 1
        totals.deaths += world.deaths
        for entry in world.recount.requests:
            totals.counted += entry.counted.total()
            totals.answered += entry.answered
            doubtful = min(entry.doubtful, max(0, entry.left))
            totals.doubtful += doubtful
            totals.orphaned += max(0, entry.left) - doubtful
