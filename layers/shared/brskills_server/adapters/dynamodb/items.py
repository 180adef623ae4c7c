"""The items of the Access table, and their conversion to values and back.

    ACCOUNT#<id>          plan, monthly_limit (absent: unlimited), keys {sha256: expiry or 0},
                          created_at, email, calls#2026-11 …, absences#2026-11 …, uncounted#2026-11 …,
                          own_lane,
                          skills (a set of names; absent: none),
                          subscriptions {id: {status, plan, customer, paid_back (absent: no)}}, customer,
                          billing_version, grants (a set of ids; absent: none)
    KEY#<sha256>          account, expires_at
    DEMO#<hash>           calls#2026-11, absences#2026-11 and uncounted#2026-11 of one address, expires_at
    SIGNUP#<hash>         issued#2026-11-20 … to one address or e-mail, expires_at
    SIGNUP#paid:<account>, SIGNUP#repeat:<hash>:<minute>   the same, for other limits
    SALT#<month>          salt, expires_at
    EVENT#<id>            expires_at
    CLAIM#<sha256>        request, calls, answered, expires_at
    RELEASE#<id>          expires_at
    GRANT#<id>            the fields of Grant (scopes absent: none), calls#2026-11 …
    CLIENT#<id>           the fields of Client (uri absent: none), expires_at
    HISTORY#<month>       calls#2026-11-20 …, failed#… of accounts, demo_calls#…, demo_failed#… of the demo
                          key (absent: 0), expires_at

Plan, limit, keys and counters of an account are in one item, so that a single write can check and count. A
counter is a top-level attribute because ADD takes no others. DynamoDB deletes an item some time after
``expires_at``. Grants listed in an account may have ended.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.accounts.billing import Billing, Subscription
from brskills_server.accounts.calendar import KEPT_MONTHS
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.grant import Client, Grant
from brskills_server.adapters.dynamodb.table import Item, Table
from brskills_server.adapters.dynamodb.values import change
from brskills_server.metering.idempotency_record import IdempotencyRecord
from brskills_server.telemetry.day_counts import DayCounts

ACCOUNT, KEY, DEMO, SIGNUP, SALT, EVENT = "ACCOUNT#", "KEY#", "DEMO#", "SIGNUP#", "SALT#", "EVENT#"
CLAIM, RELEASE, GRANT, CLIENT, HISTORY = "CLAIM#", "RELEASE#", "GRANT#", "CLIENT#", "HISTORY#"
CALLS, ABSENCES, UNCOUNTED, ISSUED = "calls#", "absences#", "uncounted#", "issued#"
DAY_COUNTS = {field: f"{field}#" for field in DayCounts._fields}


def by_name(item: Item, prefix: str) -> dict[str, int]:
    """Return the counters of an item with a prefix, by the rest of their names."""
    return {name.removeprefix(prefix): count for name, count in item.items() if name.startswith(prefix)}


def named(prefix: str, counts: Mapping[str, int]) -> Item:
    """Return counters as attributes; the reverse of :func:`by_name`."""
    return {prefix + name: count for name, count in counts.items()}


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


def day_counts_of(item: Item) -> dict[str, DayCounts]:
    """Return the counts by day of a month's item."""
    fields = [by_name(item, prefix) for prefix in DAY_COUNTS.values()]
    return {day: DayCounts(*(counts.get(day, 0) for counts in fields)) for day in fields[0]}


def record_of(item: Item) -> IdempotencyRecord:
    """Return the idempotency record of an item."""
    return IdempotencyRecord(item["request"], item["calls"], item["answered"], item["expires_at"])


def grant_of(item: Item) -> Grant:
    """Return the grant of an item."""
    fields = {name: value for name, value in item.items() if name != "pk" and not name.startswith(CALLS)}
    return Grant(**{"scopes": frozenset(), **fields}, calls=by_name(item, CALLS))


def grant_fields(grant: Grant) -> Item:
    """Return the item of a grant."""
    fields = asdict(grant) | {"scopes": grant.scopes or None}  # DynamoDB has no empty sets
    del fields["calls"]
    return _without_none({"pk": GRANT + grant.id, **fields, **named(CALLS, grant.calls)})


def client_of(item: Item) -> Client:
    """Return the client of an item."""
    return Client(**{name: value for name, value in item.items() if name not in ("pk", "expires_at")})


def client_fields(client: Client, expires_at: int) -> Item:
    """Return the item of a client."""
    return _without_none({"pk": CLIENT + client.id, **asdict(client), "expires_at": expires_at})


def account_of(item: Item) -> Account:
    """Return the account of an item."""
    name = item["pk"].removeprefix(ACCOUNT)
    subscriptions = {
        kept: Subscription(
            kept, name, of["customer"], of["status"], of.get("plan"), of.get("paid_back", False)
        )
        for kept, of in item.get("subscriptions", {}).items()
    }
    return Account(
        id=name,
        plan=item["plan"],
        monthly_limit=item.get("monthly_limit"),
        keys=item["keys"],
        calls=by_name(item, CALLS),
        created_at=item["created_at"],
        email=item.get("email"),
        billing=Billing(subscriptions, item.get("customer"), item.get("billing_version", 0)),
        dedicated_gateway_key=item.get("own_lane", ""),
        skills=item.get("skills", frozenset()),
    )


def account_fields(account: Account) -> Item:
    """Return the item of an account."""
    fields = {
        "pk": ACCOUNT + account.id,
        "plan": account.plan,
        "monthly_limit": account.monthly_limit,
        "keys": account.keys,
        "created_at": account.created_at,
        "email": account.email,
        "skills": account.skills or None,
        "own_lane": account.dedicated_gateway_key or None,
        **named(CALLS, account.calls),
        **(billing_fields(account.billing) if account.billing.version else {}),
    }
    return _without_none(fields)


def billing_fields(billing: Billing) -> Item:
    """Return the attributes of an account's billing."""
    return {
        "subscriptions": {kept.id: _subscription_fields(kept) for kept in billing.subscriptions.values()},
        "customer": billing.customer,
        "billing_version": billing.version,
    }


def _subscription_fields(kept: Subscription) -> Item:
    fields = {"status": kept.status, "customer": kept.customer, "plan": kept.plan}
    return _without_none(fields | ({"paid_back": True} if kept.paid_back else {}))


def _without_none(fields: dict[str, Any]) -> Item:
    return {name: value for name, value in fields.items() if value is not None}
