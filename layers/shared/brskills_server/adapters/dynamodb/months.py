"""Removal of old months' counters from an item."""

from contextlib import suppress

from brskills_server.accounts.calendar import KEPT_MONTHS
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.items import ABSENCES, CALLS, UNCOUNTED, by_name
from brskills_server.adapters.dynamodb.table import Item, Table
from brskills_server.adapters.dynamodb.values import change


def drop_months(table: Table, item: Item, oldest: str) -> None:
    """Remove months as ``CallStore.reserve_calls`` requires: an UpdateItem if there are any."""
    months = sorted(by_name(item, CALLS))[:-KEPT_MONTHS]
    counters = (CALLS, ABSENCES, UNCOUNTED)
    dropped = [prefix + month for month in months if month <= oldest for prefix in counters]
    if not dropped:
        return
    names = {f"c{n}": name for n, name in enumerate(dropped)}
    update = "REMOVE " + ", ".join(f"#{place}" for place in names)
    with suppress(StoreUnavailable):  # the call is counted, and the next month will try again
        table.try_update(item["pk"], change(update, names, {}, "attribute_exists(pk)"))
