"""The items of watches in the Watches table, and their conversion to values and back.

    ACCOUNT#<id>    COUNT                    watches: how many there are
                    WATCH#<cnpj>             cnpj, account, since, reference (absent: none)
                    FEED                     place: of the last change
                    CHANGE#<place>           id, cnpj, day, reference (absent: none), changes (JSON, deflated
                                             where it is long), expires_at
                    ID#<id of a change>      place, expires_at
    WATCHED#<c>     <cnpj>#<account>         as WATCH#<cnpj>, for the numbers that begin with this character
    ANNOUNCEMENT    ANNOUNCEMENT             the fields of Announcement

Watches are stored twice, in one transaction: in the order of an account's numbers and in that of all numbers,
where a partition a first character spreads the writes. An index would follow some moments later, and a
comparison could miss a watch. A place has twelve digits, so that places sort as numbers.
"""

import json

from brskills_server.adapters.dynamodb.items import ACCOUNT
from brskills_server.adapters.dynamodb.packing import packed, unpacked
from brskills_server.adapters.dynamodb.table import Item
from brskills_server.watches.watch import Announcement, Change, Listed, Watch

COUNT, FEED, WATCH, CHANGE, ID, WATCHED = "COUNT", "FEED", "WATCH#", "CHANGE#", "ID#", "WATCHED#"
FIRST_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Of numbers, in their order."""
BEHIND, LAST = "!", "~"
"""Appended to a key: before the keys that have it as their beginning; after all keys."""

ANNOUNCEMENT = ("ANNOUNCEMENT", "ANNOUNCEMENT")


def watch_key(account: str, cnpj: str) -> tuple[str, str]:
    """Return the key of a watch among those of its account."""
    return ACCOUNT + account, WATCH + cnpj


def watched_key(account: str, cnpj: str) -> tuple[str, str]:
    """Return the key of a watch among those of all accounts."""
    return WATCHED + cnpj[:1], f"{cnpj}#{account}"


def change_key(account: str, place: int) -> tuple[str, str]:
    """Return the key of a change in a feed."""
    return ACCOUNT + account, f"{CHANGE}{place:012}"


def watch_of(item: Item) -> Watch:
    """Return the watch of an item."""
    return Watch(item["cnpj"], item.get("reference"), item["since"])


def watch_items(account: str, watch: Watch) -> tuple[Item, Item]:
    """Return both items of a watch: its account's, and that of all accounts."""
    reference = {} if watch.reference is None else {"reference": watch.reference}
    fields = {"cnpj": watch.cnpj, "account": account, "since": watch.since, **reference}
    (pk, sk), (all_pk, all_sk) = watch_key(account, watch.cnpj), watched_key(account, watch.cnpj)
    return {"pk": pk, "sk": sk, **fields}, {"pk": all_pk, "sk": all_sk, **fields}


def listed_of(item: Item) -> Listed:
    """Return the change of an item, with its place."""
    changes = json.loads(unpacked(item["changes"]) or "[]")  # empty where they were too long even deflated
    change = Change(item["id"], item["cnpj"], item.get("reference"), item["day"], changes)
    return Listed(int(item["sk"].removeprefix(CHANGE)), change)


def change_items(account: str, listed: Listed, expires_at: int) -> tuple[Item, Item]:
    """Return the items of a change and of its id."""
    place, change = listed
    (pk, sk), reference = change_key(account, place), change.reference
    return {
        "pk": pk,
        "sk": sk,
        "id": change.id,
        "cnpj": change.cnpj,
        "day": change.day,
        "changes": packed(json.dumps([*change.changes], ensure_ascii=False)),
        "expires_at": expires_at,
        **({} if reference is None else {"reference": reference}),
    }, {"pk": pk, "sk": ID + change.id, "place": place, "expires_at": expires_at}


def announcement_of(item: Item) -> Announcement:
    """Return the announcement of an item."""
    fields = {name: value for name, value in item.items() if name not in ("pk", "sk")}
    return Announcement(**fields)


def announcement_fields(announcement: Announcement) -> Item:
    """Return the item of an announcement."""
    pk, sk = ANNOUNCEMENT
    return {"pk": pk, "sk": sk, **announcement._asdict()}
