"""Every metric of the service: its name, meaning and labels (listed in docs/reference/metrics.md).

A label's values are few and known beforehand, so the number of series is bounded.
"""

from typing import Literal, NamedTuple

_REQUEST_BUCKETS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_PROVIDER_BUCKETS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.9, 1.5, 2.5, 4.0, 8.0)
_HOUR, _DAY = 3600.0, 86_400.0
_AGE_BUCKETS = (60.0, 600.0, _HOUR, 6 * _HOUR, _DAY, 2 * _DAY, 7 * _DAY, 15 * _DAY, 30 * _DAY, 45 * _DAY)


class Figure(NamedTuple):
    """Counter, histogram over ``buckets`` or gauge; ``text`` is the help text that Prometheus shows."""

    name: str
    kind: Literal["counter", "histogram", "gauge"]
    text: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


def _counter(name: str, text: str, labels: tuple[str, ...] = ()) -> Figure:
    return Figure(f"brskills_{name}_total", "counter", text, labels)


CALLS = _counter(
    "calls",
    "Calls of a skill, over HTTP and MCP, each item of a batch as one. outcome: counted, free, refused "
    "(the caller's error, a quota, or a number that failed within the minute), failed (here or at the "
    "sources). plan is unknown where the ledger was not read",
    ("skill", "plan", "outcome"),
)
ANSWERS = _counter(
    "due_calls",
    "Calls of a skill by accounts that count for availability, as in the status' history. outcome: "
    "answered, failed",
    ("outcome",),
)
REFUSALS = _counter(
    "refusals", "Problems returned to callers, by machine code, those of tools included", ("code",)
)
BY_DESIGN = _counter(
    "errors_by_design",
    "Answers of 503 without a failure: staged by the sandbox, no data as recent as demanded, a number "
    "that failed within the minute, billing where no plan is sold",
)
REQUESTS = Figure(
    "brskills_request_duration_seconds",
    "histogram",
    "Seconds from a request's head to its answer; route is the template's, or - for unknown paths",
    ("method", "route", "status"),
    _REQUEST_BUCKETS,
)
UNDER_WAY = Figure("brskills_requests_under_way", "gauge", "Requests in progress")
PROVIDERS = _counter(
    "provider_attempts",
    "Attempts at a provider. outcome: found, missing, failed (out of reach), rejected (no usable answer for "
    "that number, now or within the minute), skipped (its breaker or its quota), dropped (another one was "
    "quicker)",
    ("provider", "outcome"),
)
PROVIDER_SECONDS = Figure(
    "brskills_provider_duration_seconds",
    "histogram",
    "Seconds that an attempt at a provider took",
    ("provider", "outcome"),
    _PROVIDER_BUCKETS,
)
COMPANIES = _counter(
    "company_answers",
    "Look-ups by source of the answer: live (a provider, now), stored, stale (stored, while the sources "
    "fail), sandbox, absent, unconfirmed (an absence), unmet (no data is as recent as demanded, or the "
    "quotas of the sources that have it are used up), unavailable",
    ("served",),
)
COMPANY_AGE = Figure(
    "brskills_company_age_seconds",
    "histogram",
    "Age of a record when it was answered, since its source was asked",
    ("served",),
    _AGE_BUCKETS,
)
LEDGER = _counter(
    "ledger_operations",
    "Writes of the ledger. operation: reserve, release, release_absence; outcome: done, refused, failed",
    ("operation", "outcome"),
)
ACCOUNTS = _counter(
    "account_operations",
    "Writes of accounts. operation: open (a new one with its key); outcome: done, refused, failed",
    ("operation", "outcome"),
)
GRANTS = _counter(
    "grant_operations",
    "Writes of OAuth grants. operation: open, renew (tokens), end; outcome: done, refused (no room or no "
    "key; a concurrent write came first; no such grant), failed",
    ("operation", "outcome"),
)
PAYMENTS = _counter(
    "payment_events",
    "Events of the payment processor. outcome: recorded, recorded_double, recorded_paid_back, "
    "unknown_account, duplicate, ignored",
    ("outcome",),
)
STORE_FAILURES = _counter(
    "store_failures", "Operations of a store (access or companies) that failed", ("store", "operation")
)
WORKERS_REPLACED = _counter("workers_replaced", "Workers of the gateway that were replaced")
JOBS = _counter("scheduled_runs", "Runs of scheduled work. outcome: done, failed", ("job", "outcome"))
DELIVERIES = _counter(
    "webhook_attempts",
    "Attempts to deliver to a webhook. outcome: delivered (2xx), rejected (another status), failed (no "
    "answer), given_up (the last of a delivery)",
    ("outcome",),
)

FIGURES = tuple(figure for figure in list(globals().values()) if isinstance(figure, Figure))
