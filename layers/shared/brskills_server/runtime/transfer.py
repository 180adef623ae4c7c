"""Copying of a whole store, or of one account, to another store, and of a store into text."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.maintenance import Maintenance, StoredAccount, Sum, as_content

EXPORT_FORMAT = 1


class NotEmpty(Exception):
    """The target has data already."""


class AccountExists(Exception):
    """The target has the account already."""


def move(source: Maintenance, target: Maintenance) -> Mapping[str, int]:
    """Copy everything, compare checksums by reading the target, and return counts by kind.

    The source does not change. It may be in use: a database is read as of one moment, DynamoDB's tables are
    not. Raise `NotEmpty`, or `StoreUnavailable`, also if the target's data differ.
    """
    with closing(target.records()) as present:
        if next(present, None) is not None:
            raise NotEmpty
    sent, found = Sum(), Sum()
    with closing(source.records()) as records:
        target.insert_records(sent.of(records))
    with closing(target.records()) as records:
        for _ in found.of(records):
            pass
    if found != sent:
        raise StoreUnavailable(f"sent {dict(sent.counts)}, and the target holds {dict(found.counts)}")
    return sent.counts


def export(source: Maintenance, release: str) -> Iterator[str]:
    """Return a store as lines of JSON: the format, each record, and the number of records by kind.

    A record has its ``kind`` and the fields of its class in `brskills_server.adapters.maintenance`. Raise
    ``StoreUnavailable``.
    """
    yield json.dumps({"format": EXPORT_FORMAT, "release": release})
    counts: Counter[str] = Counter()
    with closing(source.records()) as records:
        for record in records:
            content = as_content(record)
            counts[content["kind"]] += 1
            yield json.dumps(content, ensure_ascii=False)
    yield json.dumps({"counts": counts})


def find_account(store: Maintenance, account: str) -> StoredAccount:
    """Return an account with all its data. Raise ``KeyError`` or `StoreUnavailable`."""
    with closing(store.records()) as records:
        for record in records:
            if isinstance(record, StoredAccount) and record.account.id == account:
                return record
    raise KeyError(account)


def restore(source: Maintenance, target: Maintenance, account: str) -> StoredAccount:
    """Copy an account to a store that lacks it, and return it.

    Raise ``KeyError`` if the source lacks it, `AccountExists`, or `StoreUnavailable`. It needs a new gateway
    key, since that of a deleted account is deleted too.
    """
    found = find_account(source, account)
    try:
        find_account(target, account)
    except KeyError:
        restored = replace(found, account=replace(found.account, dedicated_gateway_key=""))
        target.insert_records([restored])
        return restored
    raise AccountExists
