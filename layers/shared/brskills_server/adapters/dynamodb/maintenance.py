"""Export and import of both tables. DynamoDB deletes what has expired."""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import asdict
from typing import Any

from brskills_server.adapters.dynamodb.companies import COMPANY, SOURCES
from brskills_server.adapters.dynamodb.items import (
    ABSENCES,
    ACCOUNT,
    CALLS,
    CLAIM,
    CLIENT,
    DAY_COUNTS,
    DEMO,
    EVENT,
    GRANT,
    HISTORY,
    ISSUED,
    KEY,
    SALT,
    SIGNUP,
    account_fields,
    account_of,
    by_name,
    client_fields,
    client_of,
    day_counts_of,
    grant_fields,
    grant_of,
    named,
    record_of,
)
from brskills_server.adapters.dynamodb.table import Item, Table
from brskills_server.adapters.maintenance import (
    KeptAccount,
    KeptClient,
    KeptCompany,
    KeptCounts,
    KeptEvent,
    KeptHistory,
    KeptRequest,
    KeptSalt,
    KeptState,
    Record,
)


class DynamoMaintenance:
    """``Maintenance`` of the tables of accounts and of companies."""

    def __init__(self, client: Any, access_table: str, companies_table: str) -> None:
        self._access = Table(client, access_table)
        self._companies = Table(client, companies_table)

    def prepare(self) -> None:
        """Do nothing: the template or ``tables`` creates the tables before the service starts."""

    def tidy(self, now: int) -> None:
        """Do nothing."""

    def records(self) -> Generator[Record, None, None]:
        """Scan each table; for records of one moment the service must be stopped."""
        for item in self._access.scan():
            yield from self._access_records(item)
        for item in self._companies.scan():
            yield from _company_records(item)

    def keep(self, records: Iterable[Record]) -> None:
        """Write batches of 25 items; if it raises, a part was written."""
        state: Item = {}
        access, companies = self._access.filling(), self._companies.filling()
        with access as put_access, companies as put_company:
            for record in records:
                if isinstance(record, KeptState):
                    state[record.field] = record.value
                elif isinstance(record, KeptCompany):
                    entry = {**record.entry, "expires_at": record.expires_at}
                    put_company({"pk": COMPANY + record.cnpj, **entry})
                else:
                    _put(record, put_access)
            if state:
                put_company({"pk": SOURCES, **state})

    def _access_records(self, item: Item) -> Iterator[Record]:
        kind, _, name = item["pk"].partition("#")
        kind += "#"
        if kind == ACCOUNT:
            items = self._access.get_all([GRANT + grant for grant in sorted(item.get("grants", ()))])
            grants = sorted(map(grant_of, items), key=lambda grant: grant.id)
            yield KeptAccount(account_of(item), by_name(item, ABSENCES), tuple(grants))
        elif kind == CLIENT:
            yield KeptClient(client_of(item), item["expires_at"])
        elif kind == DEMO:
            counts = by_name(item, CALLS), by_name(item, ABSENCES)
            yield KeptCounts("demo", name, *counts, expires_at=item["expires_at"])
        elif kind == SIGNUP:
            yield KeptCounts("signup", name, by_name(item, ISSUED), {}, item["expires_at"])
        elif kind == SALT:
            yield KeptSalt(name, bytes(item["salt"]), item["expires_at"])
        elif kind == EVENT:
            yield KeptEvent(name, item["expires_at"])
        elif kind == CLAIM:
            yield KeptRequest(name, record_of(item))
        elif kind == HISTORY:
            yield KeptHistory(name, day_counts_of(item), item["expires_at"])


def _company_records(item: Item) -> Iterator[Record]:
    name = item.pop("pk")
    if name == SOURCES:
        yield from (KeptState(field, value) for field, value in item.items())
    elif name.startswith(COMPANY):  # another item names the month of the register's snapshot
        expires_at = item.pop("expires_at")
        yield KeptCompany(name.removeprefix(COMPANY), item, expires_at)


def _put(record: Record, put: Callable[[Item], None]) -> None:
    if isinstance(record, KeptAccount):
        account = record.account
        for key in account.keys:
            put({"pk": KEY + key, "account": account.id})
        grants = frozenset(grant.id for grant in record.grants)
        listed = {"grants": grants} if grants else {}  # DynamoDB has no empty sets
        put(account_fields(account) | named(ABSENCES, record.absences) | listed)
        for grant in record.grants:
            put(grant_fields(grant))
    elif isinstance(record, KeptClient):
        put(client_fields(record.client, record.expires_at))
    elif isinstance(record, KeptCounts):
        prefix, calls = (DEMO, CALLS) if record.kind == "demo" else (SIGNUP, ISSUED)
        counts = named(calls, record.counts) | named(ABSENCES, record.absences)
        put({"pk": prefix + record.name, "expires_at": record.expires_at, **counts})
    elif isinstance(record, KeptSalt):
        put({"pk": SALT + record.month, "salt": record.salt, "expires_at": record.expires_at})
    elif isinstance(record, KeptEvent):
        put({"pk": EVENT + record.id, "expires_at": record.expires_at})
    elif isinstance(record, KeptRequest):
        fields = asdict(record.record)
        put({"pk": CLAIM + record.id, "request": fields.pop("fingerprint"), **fields})
    elif isinstance(record, KeptHistory):
        counts = {
            prefix + day: count
            for day, of_day in record.days.items()
            for prefix, count in zip(DAY_COUNTS.values(), of_day, strict=True)
        }
        put({"pk": HISTORY + record.month, "expires_at": record.expires_at, **counts})
