"""A webhook of an account, a pending delivery to it, and an attempt to make one."""

from typing import NamedTuple

MOST_WEBHOOKS = 5
"""Of an account."""

COMPANY_CHANGED, USAGE_THRESHOLD, WEBHOOK_TEST = "company.changed", "usage.threshold", "webhook.test"
EVENT_TYPES = (COMPANY_CHANGED, USAGE_THRESHOLD, WEBHOOK_TEST)

ON_REQUEST, GONE, FAILING = "pedido", "gone", "falhas"
"""Why a webhook is inactive, as callers see it: by its account, by status 410, by five days of failures."""

ATTEMPTS_KEPT_SECONDS = 30 * 86_400
LONGEST_CLAIM_SECONDS = 3_600
"""A claim that ends later was made by a clock that was ahead, and holds nobody back."""


class Secret(NamedTuple):
    """A signing secret, ``whsec_…``. ``ends``: when it signs no more, Unix seconds; 0 for never."""

    value: str
    ends: int = 0


class Webhook(NamedTuple):
    """An address with what is delivered to it. Times are Unix seconds.

    ``secrets``: the newest first, and the one before it. ``inactive``: why it is, or empty.
    ``failing_since``: the first failure since the last success, 0 for none. ``version``: grows with each
    write.
    """

    id: str
    account: str
    url: str
    events: tuple[str, ...]
    description: str | None
    secrets: tuple[Secret, ...]
    created_at: int
    inactive: str = ""
    failing_since: int = 0
    version: int = 1

    def wants(self, event_type: str) -> bool:
        """Return whether events of a type are delivered to it."""
        return not self.inactive and event_type in self.events


class Delivery(NamedTuple):
    """An event that a webhook will receive: ``id`` is its ``webhook-id``, ``body`` its JSON text.

    ``attempts``: how many were made. ``due``: when the next one is, Unix seconds.
    """

    id: str
    type: str
    body: str
    due: int
    attempts: int = 0


class Attempt(NamedTuple):
    """An attempt: ``at`` in milliseconds since 1970, ``number`` from 1, ``duration`` in milliseconds.

    ``status``: of the answer, ``None`` where there was none; then ``error`` says why.
    """

    id: str
    type: str
    number: int
    at: int
    status: int | None
    error: str
    duration: int
