"""The headers of a delivery, with its signatures, by Standard Webhooks."""

from collections.abc import Sequence
from datetime import UTC, datetime

import standardwebhooks

from brskills_server.webhooks.webhook import Delivery, Secret


def signed_headers(secrets: Sequence[Secret], delivery: Delivery, now: int) -> dict[str, str]:
    """Return the headers of an attempt at the moment ``now``, signed by each secret that has not ended."""
    moment = datetime.fromtimestamp(now, UTC)
    signatures = [
        standardwebhooks.Webhook(secret.value).sign(delivery.id, moment, delivery.body)
        for secret in secrets
        if not secret.ends or secret.ends > now
    ]
    return {
        "Content-Type": "application/json",
        "webhook-id": delivery.id,
        "webhook-timestamp": str(now),
        "webhook-signature": " ".join(signatures),
    }
