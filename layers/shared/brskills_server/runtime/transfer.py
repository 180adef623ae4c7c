"""Everything of one store to another, or one account: for the operator.

After a move the target is read again: what it then holds is counted, and held against what was sent.
"""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.maintenance import KeptAccount, Maintenance, Sum

__all__ = ["NotEmpty", "account_in", "move", "restore"]


class NotEmpty(Exception):
    """The target holds something already."""


def move(source: Maintenance, target: Maintenance) -> Mapping[str, int]:
    """Copy everything, read it again at the target, and count it by kind; the source stays as it is.

    The source may be in use: what is copied of a database is of one moment, of DynamoDB's tables it is not.
    Raises ``NotEmpty``, or ``StoreUnavailable``: also where the target does not hold what was sent.
    """
    with closing(target.records()) as there:
        if next(there, None) is not None:
            raise NotEmpty
    sent, found = Sum(), Sum()
    with closing(source.records()) as records:
        target.keep(sent.of(records))
    with closing(target.records()) as records:
        for _ in found.of(records):
            pass
    if found != sent:
        raise StoreUnavailable(f"sent {dict(sent.counts)}, and the target holds {dict(found.counts)}")
    return sent.counts


def account_in(store: Maintenance, account: str) -> KeptAccount:
    """An account with all that hangs on it; raises ``KeyError``, or ``StoreUnavailable``."""
    with closing(store.records()) as records:
        for record in records:
            if isinstance(record, KeptAccount) and record.account.id == account:
                return record
    raise KeyError(account)


def restore(source: Maintenance, target: Maintenance, account: str) -> KeptAccount:
    """An account as one store has it, put into another that lacks it, and returned.

    Raises ``KeyError`` where the source lacks it too, ``NotEmpty`` where the target has it, and
    ``StoreUnavailable``. Its own gateway key was deleted with it, so a new one has to be made first.
    """
    found = account_in(source, account)
    try:
        account_in(target, account)
    except KeyError:
        kept = replace(found, account=replace(found.account, dedicated_gateway_key=""))
        target.keep([kept])
        return kept
    raise NotEmpty
