"""The store of tasks. The conventions of ``brskills_server.accounts.ports`` apply."""

from typing import Protocol

from brskills_server.tasks.task import Task


class TaskStore(Protocol):
    """Tasks of accounts, until they expire or their account is deleted."""

    def add_task(self, task: Task, most: int) -> bool:
        """Add a new task; return ``False`` if its account is unknown or has ``most`` working ones."""

    def read_task(self, account: str, task: str, now: int) -> Task | None:
        """Return a task of an account; ``None`` from ``expires_at`` on."""

    def change_task(self, task: Task) -> bool:
        """Replace the version before ``task.version``; return ``False`` if it is no longer stored."""
