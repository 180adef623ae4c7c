"""Export and import of the tables. DynamoDB deletes what has expired."""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from typing import Any

from brskills_server.adapters.dynamodb import items
from brskills_server.adapters.dynamodb.companies import COMPANY, SOURCES
from brskills_server.adapters.dynamodb.outbox import outbox_items, read_outbox
from brskills_server.adapters.dynamodb.sorted_table import SortedTable
from brskills_server.adapters.dynamodb.table import Item, Table
from brskills_server.adapters.dynamodb.watching import (
    announcement_item,
    announcements,
    read_watching,
    watching_items,
)
from brskills_server.adapters.maintenance import Record, StoredAccount, StoredCounts, StoredHistory, StoredRow

_KINDS = {items.SALT: "salt", items.EVENT: "event", items.CLAIM: "request", items.CLIENT: "client"}
_PREFIXES = {kind: prefix for prefix, kind in _KINDS.items()}


class DynamoMaintenance:
    """``Maintenance`` of the tables of accounts, of watches and of companies."""

    def __init__(self, client: Any, access_table: str, watches_table: str, companies_table: str) -> None:
        self._access = Table(client, access_table)
        self._watches = SortedTable(client, watches_table)
        self._companies = Table(client, companies_table)

    def prepare(self) -> None:
        """Do nothing: the template or ``local`` creates the tables before the service starts."""

    def tidy(self, now: int) -> None:
        """Do nothing."""

    def records(self) -> Generator[Record, None, None]:
        """Scan each table; for records of one moment the service must be stopped."""
        for item in self._access.scan():
            yield from self._access_records(item)
        yield from announcements(self._watches)
        for item in self._companies.scan():
            yield from _company_records(item)

    def insert_records(self, records: Iterable[Record]) -> None:
        """Write batches of 25 items; if it raises, a part was written."""
        state: Item = {}
        access, watches, companies = (
            table.filling() for table in (self._access, self._watches, self._companies)
        )
        with access as put_access, watches as put_watch, companies as put_company:
            for record in records:
                match record:
                    case StoredRow(kind="state"):
                        (state[record.name],) = record.fields.values()
                    case StoredRow(kind="company", fields=fields):
                        entry = {**fields["entry"], "expires_at": fields["expires_at"]}
                        put_company({"pk": COMPANY + record.name, **entry})
                    case StoredRow(kind="announcement", fields=fields):
                        put_watch(announcement_item(fields))
                    case _:
                        _put(record, put_access)
                if isinstance(record, StoredAccount):
                    for items_of in (
                        watching_items(record.account.id, record.watching),
                        outbox_items(record),
                    ):
                        for item in items_of:
                            put_watch(item)
            if state:
                put_company({"pk": SOURCES, **state})

    def _access_records(self, item: Item) -> Iterator[Record]:
        kind, _, name = item["pk"].partition("#")
        kind += "#"
        if kind in _KINDS:
            fields = {field: value for field, value in item.items() if field not in ("pk", "id")}
            yield StoredRow(_KINDS[kind], name, fields)
        elif kind == items.ACCOUNT:
            listed = self._access.get_all([items.GRANT + grant for grant in item.get("grants", ())])
            grants = sorted(map(items.grant_of, listed), key=lambda grant: grant.id)
            account = replace(items.account_of(item), calls=_calls(item))
            watching, outbox = read_watching(self._watches, name), read_outbox(self._watches, name)
            yield StoredAccount(account, *_read_uncharged(item), tuple(grants), watching, **outbox)
        elif kind == items.DEMO:
            absences, uncounted = _read_uncharged(item)
            yield StoredCounts("demo", name, _calls(item), absences, item["expires_at"], uncounted)
        elif kind == items.SIGNUP:
            yield StoredCounts("signup", name, items.by_name(item, items.ISSUED), {}, item["expires_at"])
        elif kind == items.HISTORY:
            yield StoredHistory(name, items.day_counts_of(item), item["expires_at"])


def _calls(item: Item) -> dict[str, int]:
    """Return the calls of each month, 0 for months of uncounted work alone: in SQL a month is one row."""
    return dict.fromkeys(items.by_name(item, items.UNCOUNTED), 0) | items.by_name(item, items.CALLS)


def _read_uncharged(item: Item) -> tuple[dict[str, int], dict[str, int]]:
    """Return the counters of free absences and of uncounted work by month."""
    return items.by_name(item, items.ABSENCES), items.by_name(item, items.UNCOUNTED)


def _company_records(item: Item) -> Iterator[Record]:
    name = item.pop("pk")
    if name == SOURCES:
        for field, value in item.items():
            yield StoredRow("state", field, {"number" if isinstance(value, int) else "text": value})
    elif name.startswith(COMPANY):  # another item names the month of the register's snapshot
        expires_at = item.pop("expires_at")
        yield StoredRow("company", name.removeprefix(COMPANY), {"entry": item, "expires_at": expires_at})


def _put(record: Record, put: Callable[[Item], None]) -> None:
    match record:
        case StoredRow(kind=kind, name=name, fields=fields):
            own_id = {"id": name} if kind == "client" else {}
            put({"pk": _PREFIXES[kind] + name, **own_id, **fields})
        case StoredAccount(account=account):
            for key in account.keys:
                put({"pk": items.KEY + key, "account": account.id})
            grants = frozenset(grant.id for grant in record.grants)
            listed = {"grants": grants} if grants else {}  # DynamoDB has no empty sets
            put(items.account_fields(account) | _uncharged_fields(record) | listed)
            for grant in record.grants:
                put(items.grant_fields(grant))
        case StoredCounts(expires_at=ends):
            is_demo = record.kind == "demo"
            prefix, calls = (items.DEMO, items.CALLS) if is_demo else (items.SIGNUP, items.ISSUED)
            counts = items.named(calls, record.counts) | _uncharged_fields(record)
            put({"pk": prefix + record.name, "expires_at": ends, **counts})
        case StoredHistory(expires_at=ends):
            counts = {
                prefix + day: count
                for day, of_day in record.days.items()
                for prefix, count in zip(items.DAY_COUNTS.values(), of_day, strict=True)
            }
            put({"pk": items.HISTORY + record.month, "expires_at": ends, **counts})


def _uncharged_fields(record: StoredAccount | StoredCounts) -> Item:
    """Return the reverse of `_read_uncharged`."""
    return items.named(items.ABSENCES, record.absences) | items.named(items.UNCOUNTED, record.uncounted)
