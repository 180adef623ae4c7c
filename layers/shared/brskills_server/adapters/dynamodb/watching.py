"""Export and import of the Watches table, of which ``watch_items`` has the layout."""

from collections.abc import Iterator, Mapping
from typing import Any

from brskills_server.adapters.dynamodb.items import ACCOUNT
from brskills_server.adapters.dynamodb.sorted_table import SortedTable
from brskills_server.adapters.dynamodb.table import Item
from brskills_server.adapters.dynamodb.watch_items import (
    ANNOUNCEMENT,
    BEHIND,
    CHANGE,
    COUNT,
    FEED,
    LAST,
    WATCH,
    announcement_fields,
    announcement_of,
    change_items,
    listed_of,
    watch_items,
    watch_of,
)
from brskills_server.adapters.maintenance import StoredRow, Watching
from brskills_server.watches.watch import Announcement

_PAGE = 1_000
_NAME = "register"  # of what is announced, in every store


def read_watching(table: SortedTable, account: str) -> Watching:
    """Return an account's watches and feed."""
    items = list(table.query(ACCOUNT + account, BEHIND, LAST, _PAGE))
    return Watching(
        tuple(watch_of(item) for item in items if item["sk"].startswith(WATCH)),
        next((item["place"] for item in items if item["sk"] == FEED), 0),
        tuple((listed_of(item), item["expires_at"]) for item in items if item["sk"].startswith(CHANGE)),
    )


def watching_items(account: str, watching: Watching) -> Iterator[Item]:
    """Return the items of an account's watches and feed; the reverse of :func:`read_watching`."""
    pk = ACCOUNT + account
    if watching.watches:
        yield {"pk": pk, "sk": COUNT, "watches": len(watching.watches)}
    for watch in watching.watches:
        yield from watch_items(account, watch)
    if watching.last_place:
        yield {"pk": pk, "sk": FEED, "place": watching.last_place}
    for listed, expires_at in watching.changes:
        yield from change_items(account, listed, expires_at)


def announcements(table: SortedTable) -> Iterator[StoredRow]:
    """Return the record of the announcement, if there is one."""
    if item := table.get(ANNOUNCEMENT):
        fields = announcement_of(item)._asdict()
        after_cnpj, after_account = fields.pop("after")
        yield StoredRow(
            "announcement", _NAME, {**fields, "after_cnpj": after_cnpj, "after_account": after_account}
        )


def announcement_item(fields: Mapping[str, Any]) -> Item:
    """Return the item of a record; the reverse of :func:`announcements`."""
    kept = {name: value for name, value in fields.items() if not name.startswith("after_")}
    after = fields["after_cnpj"], fields["after_account"]
    return announcement_fields(Announcement(**kept, after=after))
