"""One attempt to make a delivery: wait for a place, sign, post and record."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from brskills_server.outbound.places import Places
from brskills_server.webhooks.bounds import MOST, bounds_of
from brskills_server.webhooks.failing import STATUS_GONE, succeeded
from brskills_server.webhooks.ports import WebhookStore
from brskills_server.webhooks.poster import Answer, Poster
from brskills_server.webhooks.retries import Chance, next_attempt
from brskills_server.webhooks.signing import signed_headers
from brskills_server.webhooks.webhook import ATTEMPTS_KEPT_SECONDS, Attempt, Delivery, Webhook

_system = random.SystemRandom()  # shares no state with another thread or a restored copy

DELIVERED, REJECTED, FAILED, GIVEN_UP = "delivered", "rejected", "failed", "given_up"
"""Outcomes of attempts: 2xx, another status, no answer; ``GIVEN_UP`` for the last one of a delivery."""


class Attempts:
    """Attempts of one process, within its places. ``note`` is called with the outcome of each.

    ``clock``: epoch seconds. ``is_stopped``: no further attempt begins.
    """

    def __init__(
        self,
        store: WebhookStore,
        poster: Poster,
        note: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.time,
        chance: Chance = _system.uniform,
    ) -> None:
        self._store = store
        self._poster = poster
        self._note = note
        self._clock = clock
        self._chance = chance
        self._places = Places(MOST)
        self.is_stopped = False

    async def make(
        self, webhook: Webhook, delivery: Delivery, ends: float, *, is_slow: bool
    ) -> Attempt | None:
        """Make an attempt and record it; ``None`` where there was no place until ``ends``, a loop time.

        ``is_slow``: the webhook failed or was late before. Raise ``StoreUnavailable``.
        """
        host = urlsplit(webhook.url).netloc.removesuffix(":443")
        bounds = bounds_of(webhook.account, host, is_slow=is_slow)
        async with self._places.take(bounds, ends) as taken:
            if not taken or self.is_stopped:
                return None
            attempt, answer = await self._post(webhook, delivery)
        due = self._next(attempt, answer)
        kept_until = int(self._clock()) + ATTEMPTS_KEPT_SECONDS
        await asyncio.to_thread(self._store.record_attempt, webhook, attempt, due, kept_until)
        self._note(_outcome(attempt, due))
        return attempt

    async def _post(self, webhook: Webhook, delivery: Delivery) -> tuple[Attempt, Answer]:
        at, now = self._clock(), asyncio.get_running_loop().time
        started = now()
        headers = signed_headers(webhook.secrets, delivery, int(at))
        answer = await self._poster.post(webhook.url, headers, delivery.body.encode())
        took = round((now() - started) * 1000)
        number, moment = delivery.attempts + 1, int(at * 1000)
        return (
            Attempt(delivery.id, delivery.type, number, moment, answer.status, answer.error, took),
            answer,
        )

    def _next(self, attempt: Attempt, answer: Answer) -> int | None:
        if succeeded(attempt) or attempt.status == STATUS_GONE:
            return None
        return next_attempt(attempt.number, self._clock(), self._chance, answer.status, answer.retry_after)


def _outcome(attempt: Attempt, due: int | None) -> str:
    if succeeded(attempt):
        return DELIVERED
    if due is None and attempt.status != STATUS_GONE:
        return GIVEN_UP
    return FAILED if attempt.status is None else REJECTED
