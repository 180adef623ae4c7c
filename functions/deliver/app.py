"""Deliveries to webhooks: to those that messages name, and each minute messages for those that have none."""

import os
import time
from contextlib import suppress
from typing import Any

from brskills_server import telemetry
from brskills_server.adapters.webhook_queue import MOST_DELAY_SECONDS, WebhookQueue, read_message
from brskills_server.runtime.deliverer import deliver, open_deliverer, open_thresholds
from brskills_server.runtime.services import open_services

services = open_services()
deliverer = open_deliverer(services)
thresholds = open_thresholds(services)
queue = WebhookQueue(os.environ["WEBHOOK_QUEUE"])

_LAST_ATTEMPT_SECONDS = 20  # for what is under way when the time is over
_MOST = 2_000  # webhooks a sweep: each takes a write, and the run has a minute


def handler(event: dict[str, Any], context: Any) -> dict[str, Any] | None:
    """Serve the webhooks of messages, or sweep; an error is one of the function, so that its alarm fires."""
    try:
        if "Records" in event:
            return _serve(event["Records"], context)
        _sweep()
    finally:
        telemetry.flush()
    return None


def _serve(records: list[dict[str, Any]], context: Any) -> dict[str, Any]:
    """Return the messages that must come again: those at which the store failed, or that name nothing."""
    names: dict[str, tuple[str, str]] = {}
    for record in records:
        with suppress(KeyError, TypeError, ValueError):
            names[record["messageId"]] = read_message(record["body"])
    seconds = context.get_remaining_time_in_millis() / 1000 - _LAST_ATTEMPT_SECONDS
    served = deliver(deliverer, names.values(), time.monotonic() + seconds)
    for name, due in served.items():
        if due is not None and (delay := max(0, due - int(time.time()))) <= MOST_DELAY_SECONDS:
            queue.wake(*name, delay)
    failed = [record["messageId"] for record in records if names.get(record["messageId"]) not in served]
    return {"batchItemFailures": [{"itemIdentifier": message} for message in failed]}


def _sweep() -> None:
    """Send messages for deliveries that nobody makes: long retries, lost messages. Then find thresholds."""
    now = int(time.time())
    waiting = services.store.claim_webhooks(now, now, _MOST)  # claims that end at once
    queue.wake_all((webhook.account, webhook.id) for webhook in waiting)
    thresholds.sweep()
