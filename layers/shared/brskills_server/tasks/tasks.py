"""Tasks: each is run by one process at a time, started again if that is gone, and ended once.

Each change is a write on condition that the task is as it was read. A run renews its lease, and so learns
that its task was cancelled or given to another; a read finds a lease that has ended and starts another run.
"""

import time
from collections.abc import Callable

from brskills_server.tasks.ports import TaskStore
from brskills_server.tasks.task import CANCELLED, FAILED, MOST_RUNS, MOST_WORKING, Task, is_id, new_task

_TRIES = 10  # each time another process has changed the task in between


class UnknownTask(Exception):
    """The account has no such task, or it has expired."""


class Tasks:
    """Tasks of a deployment. Every method may raise ``StoreUnavailable``.

    ``start`` has a process run a task, by its id and version, or does nothing where none has room.
    ``release``: called before a begun task ends otherwise than by its run, which may be gone. ``given_up``:
    the error of a task whose workers ended each time. ``clock``: Unix seconds.
    """

    def __init__(
        self,
        store: TaskStore,
        start: Callable[[Task], None],
        release: Callable[[Task], None],
        given_up: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._start = start
        self._release = release
        self._given_up = given_up
        self._clock = clock

    def create(self, account: str, scope: str, request: str) -> Task | None:
        """Store a task and have it run; ``None`` if the account has as many as it may."""
        task = new_task(account, scope, request, self._now())
        if not self._store.add_task(task, MOST_WORKING):
            return None
        self._start(task)
        return task

    def find(self, account: str, name: str) -> Task:
        """Return a task as it is. Raise ``UnknownTask``."""
        task = self._store.read_task(account, name, self._now()) if is_id(name) else None
        if task is None:
            raise UnknownTask
        return task

    def resume(self, task: Task, request: Callable[[], str]) -> Task:
        """Return a task that was found; have it run again if its process is gone. Raise ``UnknownTask``.

        ``request``: returns what that run needs.
        """
        now = self._now()
        if not task.is_abandoned(now):
            return task
        if task.runs < MOST_RUNS:
            changed = task.start(now, request())
        else:
            self._release(task)
            changed = task.end(now, FAILED, self._given_up)
        if not self._store.change_task(changed):
            return self.find(task.account, task.id)  # another reader was quicker
        if changed.is_working:
            self._start(changed)
        return changed

    def cancel(self, account: str, name: str) -> None:
        """Cancel a task that is working. Raise ``UnknownTask``."""
        for _ in range(_TRIES):
            task = self.find(account, name)
            if not task.is_working:
                return
            if task.runs:
                self._release(task)
            if self._store.change_task(task.end(self._now(), CANCELLED)):
                return

    def begin(self, account: str, name: str, version: int) -> Task | None:
        """Return the task for the run that was started for a version; ``None`` if it is no longer wanted."""
        task = self._store.read_task(account, name, self._now())
        if task is None or not task.is_working or task.version != version:
            return None
        return self._changed(task.begin(self._now()))

    def renew(self, task: Task, outcome: str) -> Task | None:
        """Return the task of a run that continues; ``None`` if it was cancelled or given to another."""
        return self._changed(task.renew(self._now(), outcome))

    def give_back(self, task: Task) -> None:
        """Leave a run's task to another one, which the next reader has begun."""
        self._store.change_task(task.give_back(self._now()))

    def end(self, task: Task, status: str, outcome: str) -> bool:
        """End a run's task; return ``False`` as :meth:`renew` returns ``None``."""
        return self._store.change_task(task.end(self._now(), status, outcome))

    def _changed(self, task: Task) -> Task | None:
        return task if self._store.change_task(task) else None

    def _now(self) -> int:
        return int(self._clock())
