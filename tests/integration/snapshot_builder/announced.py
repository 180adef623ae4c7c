"""A folder of snapshots, accounts that watch companies, and what their feeds must say of the months."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from brskills_server.accounts.account import Account
from brskills_server.adapters import sqlite
from brskills_server.adapters.snapshots.folder import FolderMonths
from brskills_server.adapters.snapshots.folder_history import FolderHistory
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.adapters.stores import AccessStore
from brskills_server.watches.announcing import Announcer
from brskills_server.watches.ports import WatchStore
from brskills_server.watches.watch import Change, Watch
from tests.register.files import Month
from tests.register.history import changes
from tests.services.store import Destination

NOW = 1_795_000_000
ACCOUNTS = ("acc_1", "acc_2")
NOWHERE = ("33000167000101", "SANDBOX1000170")

Entries = Mapping[str, list[tuple[str, list[dict[str, Any]]]]]
"""Number → the day and the changes of each entry, oldest first; no number without one."""


class World(NamedTuple):
    """Snapshots in ``folder``, and a store in ``file``."""

    folder: Path
    file: Path

    def store(self) -> AccessStore:
        """Open the store."""
        stores = sqlite.open_stores(Destination(f"sqlite:///{self.file}"))
        stores.open_maintenance().prepare()
        return stores.access

    def watch(self, numbers: Iterable[str], since: int = NOW) -> None:
        """Let both accounts watch companies, each with its own references."""
        store = self.store()
        for name in ACCOUNTS:
            store.open_account(Account(name, "enterprise", None, {f"key of {name}": 0}, created_at=NOW))
            store.add_watches(name, [Watch(cnpj, f"{cnpj} of {name}", since) for cnpj in numbers], None)

    def announcer(
        self, store: WatchStore | None = None, clock: Callable[[], float] = lambda: NOW
    ) -> Announcer:
        """Return an announcer that reads which snapshot is in place anew, as another process does."""
        snapshot = StoredSnapshot(FolderMonths(self.folder))
        return Announcer(store or self.store(), snapshot, FolderHistory(self.folder), clock)

    def announce(self) -> None:
        """Announce everything, a page in each run."""
        runs = 0
        while not self.announcer().run(until=0):
            runs += 1
            assert runs < 1_000

    def feed(self, account: str = ACCOUNTS[0]) -> list[Change]:
        """Return an account's whole feed."""
        return [one.change for one in self.store().list_changes(account, 0, 100_000, NOW)]

    def entries(self, skip: int = 0) -> Entries:
        """Return what both feeds say after the first entries."""
        first, second = (self.feed(account)[skip:] for account in ACCOUNTS)
        assert [one.id for one in first] == [one.id for one in second]
        assert all(one.reference == f"{one.cnpj} of {ACCOUNTS[1]}" for one in second)
        found: dict[str, list[tuple[str, list[dict[str, Any]]]]] = {}
        for one in first:
            found.setdefault(one.cnpj, []).append((one.day, list(one.changes)))
        return found


def truth(months: Sequence[Month]) -> Entries:
    """Return what the records of successive months say; of unreadable ones nothing is known."""
    found: dict[str, list[tuple[str, list[dict[str, Any]]]]] = {}
    for before, after in pairwise(months):
        old, new = before.records(), after.records()
        for cnpj in (old.keys() | new.keys()) - before.lost - after.lost:
            day = after.day.isoformat()
            said = [
                {"data_base": day, "campo": name, "de": was, "para": now}
                for name, was, now in changes(old.get(cnpj), new.get(cnpj))
            ]
            if said:
                found.setdefault(cnpj, []).append((day, said))
    return found
