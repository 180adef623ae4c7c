"""Tasks in SQL."""

from brskills_server.adapters.sql.accounts import LOCK_ACCOUNT
from brskills_server.adapters.sql.database import Rollback, SqlStore, insert
from brskills_server.tasks.task import WORKING, Task

_TASK = ", ".join(Task._fields)
_WORKING = f"""
SELECT COUNT(*) FROM tasks
 WHERE account = :account AND status = '{WORKING}' AND expires_at > :now"""  # noqa: S608, our own word
_ONE = f"SELECT {_TASK} FROM tasks WHERE account = :account AND id = :task AND expires_at > :now"  # noqa: S608, only names of columns
_CHANGE = """
UPDATE tasks
   SET request = :request, updated_at = :updated_at, lease_ends = :lease_ends, status = :status,
       version = :version, runs = :runs, outcome = :outcome
 WHERE account = :account AND id = :id AND version = :version - 1 RETURNING id"""
_FIXED = ("scope", "created_at", "expires_at")


class SqlTasks(SqlStore):
    """``TaskStore``, in the table ``tasks``."""

    def add_task(self, task: Task, most: int) -> bool:
        """Run one transaction, which locks the account."""
        added = False
        with self._database.transaction() as run:
            if not run(LOCK_ACCOUNT, account=task.account):
                raise Rollback
            ((working,),) = run(_WORKING, account=task.account, now=task.created_at)
            if working >= most:
                raise Rollback
            insert(run, "tasks", **task._asdict())
            added = True
        return added  # noqa: RET504, a rollback ends the block above

    def read_task(self, account: str, task: str, now: int) -> Task | None:
        rows = self._database.run(_ONE, account=account, task=task, now=now)
        return Task(*rows[0]) if rows else None

    def change_task(self, task: Task) -> bool:
        values = {name: value for name, value in task._asdict().items() if name not in _FIXED}
        return bool(self._database.run(_CHANGE, **values))
