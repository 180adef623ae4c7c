"""Tasks in the Watches table, beside what else an account has there.

    ACCOUNT#<id>    TASK#<id of a task>    the fields of Task (request and outcome deflated where they are
                                           long), slot
                    WORKING#<slot>         task, expires_at

A working task holds one of its account's slots. The slot of one that has ended is deleted afterwards: if that
fails, it is free when the task expires.
"""

from contextlib import suppress
from typing import Any

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.items import ACCOUNT
from brskills_server.adapters.dynamodb.packing import packed, unpacked
from brskills_server.adapters.dynamodb.table import Item
from brskills_server.adapters.dynamodb.values import assign, change
from brskills_server.adapters.dynamodb.watch_items import LAST
from brskills_server.adapters.dynamodb.watches import EXISTS, DynamoWatches
from brskills_server.tasks.task import Task

_TASK, _SLOT = "TASK#", "WORKING#"
_PAGE = 100
_IS_NEW = change("", {}, {}, "attribute_not_exists(pk)")
_CHANGED = ("request", "updated_at", "lease_ends", "status", "version", "runs", "outcome")


class DynamoTasks(DynamoWatches):
    """``TaskStore``."""

    def add_task(self, task: Task, most: int) -> bool:
        """Transaction after a Query of the account's slots, as often as another task takes the slot."""
        pk, is_free = ACCOUNT + task.account, "attribute_not_exists(pk) OR expires_at <= :now"
        while (slot := self._free_slot(pk, task.created_at, most)) is not None:
            item = _item(task) | {"pk": pk, "sk": _TASK + task.id, "slot": slot}
            held = {"pk": pk, "sk": _SLOT + slot, "task": task.id, "expires_at": task.expires_at}
            try:
                self._table.together(
                    self._table.checking(pk, EXISTS),
                    self._watches.putting(item, _IS_NEW),
                    self._watches.putting(held, change("", {}, {"now": task.created_at}, is_free)),
                )
            except ConditionFailed as failed:
                if 0 in failed.writes:
                    return False
                continue
            return True
        return False

    def read_task(self, account: str, task: str, now: int) -> Task | None:
        item = self._watches.get((ACCOUNT + account, _TASK + task))
        return _task(item) if item and item["expires_at"] > now else None

    def change_task(self, task: Task) -> bool:
        """UpdateItem, and DeleteItem of the slot with the last."""
        key, fields = (ACCOUNT + task.account, _TASK + task.id), _item(task)
        update, names, values = assign({name: fields[name] for name in _CHANGED})
        names["seen"], values["seen"] = "version", task.version - 1
        try:
            item = self._watches.update(key, change(update, names, values, "#seen = :seen"))
        except ConditionFailed:
            return False
        if not task.is_working:
            with suppress(StoreUnavailable):
                is_held = change("", {}, {"task": task.id}, "task = :task")
                self._watches.try_delete((key[0], _SLOT + item["slot"]), is_held)
        return True

    def _free_slot(self, pk: str, now: int, most: int) -> str | None:
        found = self._watches.query(pk, _SLOT, _SLOT + LAST, _PAGE)
        held = {item["sk"].removeprefix(_SLOT) for item in found if item["expires_at"] > now}
        return next((slot for slot in map(str, range(most)) if slot not in held), None)


def _item(task: Task) -> Item:
    return {**task._asdict(), "request": packed(task.request), "outcome": packed(task.outcome)}


def _task(item: Item) -> Task:
    fields: dict[str, Any] = {name: item[name] for name in Task._fields}
    fields |= {name: unpacked(item[name]) for name in ("request", "outcome")}
    return Task(**fields)
