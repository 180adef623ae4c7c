"""Months that are published to PostgreSQL are announced there as their records say."""

from __future__ import annotations

import time
from pathlib import Path

from brskills_server.accounts.account import Account
from brskills_server.adapters import postgresql
from brskills_server.adapters.snapshots.postgresql import open_history, open_snapshot
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.destinations.postgresql import PostgresDestination
from brskills_server.snapshot_builder.publishing import StorePublisher
from brskills_server.watches.announcing import Announcer
from brskills_server.watches.watch import Watch
from tests.integration.snapshot_builder.announced import NOW, truth
from tests.integration.snapshot_builder.building import DAY, LATER_DAY, NEXT_DAY, build, publish
from tests.integration.snapshot_builder.test_history import changed, numbers_of
from tests.register.company import companies
from tests.services.store import Destination


def test_feeds_say_what_the_records_of_each_month_say(url: str, tmp_path: Path) -> None:
    registered = list(companies(31, 40))
    second = changed(registered, 1)
    months = [
        publish(tmp_path / "1", registered[:35], DAY),
        publish(tmp_path / "2", second[5:], NEXT_DAY),
        publish(tmp_path / "3", changed(second, 2), LATER_DAY),
    ]
    stores = postgresql.open_stores(Destination(url))
    stores.open_maintenance().prepare()
    store, folder = stores.access, tmp_path / "copy"
    store.open_account(Account("acc_1", "enterprise", None, {"k": 0}, created_at=NOW))
    store.add_watches("acc_1", [Watch(cnpj, None, NOW) for cnpj in sorted(numbers_of(months))], None)

    def announce() -> None:
        place = Destination(url)
        announcer = Announcer(store, open_snapshot(place), open_history(place), lambda: NOW)
        assert announcer.run(time.monotonic() + 600)

    for month in months:
        build(folder, month.folder)
        StorePublisher(PostgresDestination(url)).publish(SnapshotFolder(folder))
        announce()
    announce()
    feed = [one.change for one in store.list_changes("acc_1", 0, 100_000, NOW)]
    said: dict[str, list[tuple[str, list[dict[str, object]]]]] = {}
    for one in feed:
        said.setdefault(one.cnpj, []).append((one.day, list(one.changes)))
    assert said == truth(months)

    publisher = StorePublisher(PostgresDestination(url))
    publisher.roll_back()
    announce()
    publisher.roll_back()
    announce()
    assert len(store.list_changes("acc_1", 0, 100_000, NOW)) == len(feed)
