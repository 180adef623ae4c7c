"""``plans.md``: the plans with their limits, from ``brskills_server.accounts.plans``."""

from brskills_server.accounts.account import DEMO
from brskills_server.accounts.plans import PLANS
from brskills_server.metering.uncounted import BYTES_PER_UNIT, LOOK_UP_UNITS
from brskills_server.webhooks.webhook import MOST_WEBHOOKS
from checks.reference.table import row

_HEAD = """# Plans and limits

A call is one answered skill call: a code, a company, a confirmed absence. The month is the calendar month in
America/Sao_Paulo, and its count is exact. Free are refused input, failures of the service or its sources,
decoding, sandbox companies, repetitions under an `Idempotency-Key`, and the first unconfirmed absences of a
month; those beyond count. The demo key's limits are for each IP address.

| | """
_ROWS = {
    "Price, USD a month": lambda plan: "custom" if plan.price_usd is None else plan.price_usd,
    "Calls a month": lambda plan: _number(plan.monthly_limit),
    "Free unconfirmed absences a month": lambda plan: _number(plan.free_absences),
    "Requests a second (burst)": lambda plan: f"{plan.rate} ({plan.burst})",
    "Gateway keys that its accounts share": lambda plan: (
        "dedicated" if plan.is_paid else plan.throttle_groups
    ),
    "Watched companies": lambda plan: _number(plan.watches),
    "Webhooks": lambda plan: 0 if plan.id == DEMO else MOST_WEBHOOKS,
    "Uncounted units a minute": lambda plan: _number(plan.uncounted_a_minute),
    "Uncounted units a month": lambda plan: _number(plan.uncounted_a_month),
}
_TAIL = f"""
**Requests a second** are limited on AWS, per gateway key: a free account shares one of 32, a paying account
has a dedicated one minutes after payment (until then it shares one of its plan's). A month that is used up
slows counted routes to 1 a second (burst 2); checkout, usage, rotation and revocation stay fast. `/mcp` has
50 a second for all. Beyond: 429 `throttled`. `make run` and on-premise servers enforce none.

**What is not counted** has a separate allowance, in units: 1 for a refused request, a decode, a sandbox
company or a repetition (each item of a batch; each {BYTES_PER_UNIT // 1024} KiB of a body), {LOOK_UP_UNITS}
for a look-up that asked the sources and counted nothing, ten times as many for a search that was refused as
too much work. Beyond: 429 `uncounted_limit` with `Retry-After`; counted calls but for searches go on. All
networks of an IPv6 /48 together have eight times one network's limits.

**Sign-up**: 5 keys a day and 20 in 30 days for each IP address and each e-mail (`SIGNUPS_PER_DAY`,
`SIGNUPS_PER_MONTH`); IPv6 counts by /64.
"""


def render() -> str:
    """Return the document in Markdown."""
    plans = list(PLANS.values())
    head = _HEAD + " | ".join(plan.id for plan in plans) + " |\n" + "|---" * (len(plans) + 1) + "|"
    return "\n".join([head, *(row(name, *map(value, plans)) for name, value in _ROWS.items()), _TAIL])


def _number(limit: int | None) -> str:
    return "unlimited" if limit is None else f"{limit:,}"
