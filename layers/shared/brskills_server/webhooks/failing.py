"""What attempts make of their webhook: failing since a moment, or inactive."""

from collections.abc import Sequence

from brskills_server.webhooks.webhook import FAILING, GONE, Attempt, Webhook

STATUS_GONE = 410
FAILING_SECONDS = 5 * 86_400


def succeeded(attempt: Attempt) -> bool:
    """Return whether an attempt delivered: only 2xx says so, and no redirect is followed."""
    return attempt.status is not None and 200 <= attempt.status < 300


def after_attempts(webhook: Webhook, attempts: Sequence[Attempt], now: int) -> Webhook:
    """Return an active webhook as attempts at about the same moment leave it; its version stays.

    A first attempt alone never ends it: events are rare, and the last ones may have failed long ago.
    """
    if any(attempt.status == STATUS_GONE for attempt in attempts):
        return webhook._replace(inactive=GONE)
    if any(map(succeeded, attempts)):
        return webhook._replace(failing_since=0)
    if not attempts:
        return webhook
    # The clock may have been set back.
    since = webhook.failing_since if 0 < webhook.failing_since <= now else now
    ended = now - since >= FAILING_SECONDS and any(attempt.number > 1 for attempt in attempts)
    return webhook._replace(failing_since=since, inactive=FAILING if ended else "")
