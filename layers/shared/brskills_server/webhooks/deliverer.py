"""Serve a claimed webhook: make its pending deliveries, and keep what they say of it.

What a process that is killed did not record is made again by another one, once the claim has ended.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from brskills_server.webhooks.attempts import Attempts
from brskills_server.webhooks.failing import after_attempts, succeeded
from brskills_server.webhooks.ports import WebhookStore
from brskills_server.webhooks.poster import SECONDS, Poster
from brskills_server.webhooks.retries import Chance
from brskills_server.webhooks.webhook import Attempt, Webhook

_system = random.SystemRandom()  # shares no state with another thread or a restored copy

SLICE_SECONDS = 30.0
"""How long a webhook is served before others have their turn."""

CLAIM_SECONDS = int(SLICE_SECONDS + 2 * SECONDS)
"""How long a webhook is claimed: for the last attempt of a slice, and to record it."""

MOST_AT_ONCE = 4
"""Attempts at the same time to a webhook that answers soon; one that fails or is late has one."""

SOON = 1000
"""Milliseconds."""

_WRITES = 5
_DROPPED_AT_ONCE = 100


class _Pace(NamedTuple):
    """How many attempts a webhook has at once; ``is_slow``: it failed or was late before."""

    at_once: int = 1
    is_slow: bool = False


class Deliverer:
    """Deliveries in an event loop; the store is called in threads. ``clock``: epoch seconds.

    ``note`` is called with the outcome of each attempt.
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
        self._clock = clock
        self._chance = chance
        self._attempts = Attempts(store, poster, note, clock, chance)

    def stop(self) -> None:
        """Begin no further attempt."""
        self._attempts.is_stopped = True

    async def claim(self, most: int) -> list[tuple[Webhook, int]]:
        """Claim webhooks with pending deliveries. Return each with the end of its claim."""
        now = int(self._clock())
        until = now + CLAIM_SECONDS
        claimed = await asyncio.to_thread(self._store.claim_webhooks, now, until, most)
        # In no order, so that where places are few nobody is always the last.
        return [(webhook, until) for webhook in sorted(claimed, key=lambda _: self._chance(0, 1))]

    async def claim_one(self, account: str, webhook: str) -> tuple[Webhook, int] | None:
        """Claim one; ``None`` if it has no pending delivery, or another process has it."""
        now = int(self._clock())
        until = now + CLAIM_SECONDS
        found = await asyncio.to_thread(self._store.claim_webhook, account, webhook, now, until)
        return (found, until) if found else None

    async def serve(self, webhook: Webhook, claimed_until: int, until: float) -> int | None:
        """Make deliveries for a slice of time, at most until a moment of the loop's clock, and release it.

        Return the moment of the next one, ``None`` for never. Raise ``StoreUnavailable``.
        """
        now = asyncio.get_running_loop().time
        ends = min(until, now() + SLICE_SECONDS)
        try:
            pace: _Pace | None = _Pace()
            while pace and not self._attempts.is_stopped and now() < ends:
                pace = await self._round(webhook, pace, ends)
        finally:
            due = await asyncio.to_thread(self._store.release_webhook, webhook, claimed_until)
        return due

    async def _round(self, claimed: Webhook, pace: _Pace, ends: float) -> _Pace | None:
        """Make deliveries at the same time; return the pace of the next round, ``None`` to end the slice."""
        # Read again: what its account changes, or a failure, applies to the next attempt.
        webhook = await asyncio.to_thread(self._store.read_webhook, claimed.account, claimed.id)
        if webhook is None:
            return None
        if webhook.inactive:
            return await self._drop(webhook, pace)
        now = int(self._clock())
        due = await asyncio.to_thread(self._store.due_deliveries, webhook, now, pace.at_once)
        is_slow = pace.is_slow or webhook.failing_since > 0
        make = self._attempts.make
        made = await _together([make(webhook, delivery, ends, is_slow=is_slow) for delivery in due])
        attempts = [attempt for attempt in made if attempt]
        await asyncio.to_thread(self._keep, webhook, attempts)
        if not attempts:
            return None
        if all(succeeded(attempt) and attempt.duration < SOON for attempt in attempts):
            return _Pace(min(2 * pace.at_once, MOST_AT_ONCE))
        return _Pace(is_slow=True)

    async def _drop(self, inactive: Webhook, pace: _Pace) -> _Pace | None:
        """Delete due deliveries to a webhook, and return as ``_round`` does.

        They are read before it is known to be inactive still: one that is added after its account has
        activated it is none of them.
        """
        now = int(self._clock())
        due = await asyncio.to_thread(self._store.due_deliveries, inactive, now, _DROPPED_AT_ONCE)
        webhook = await asyncio.to_thread(self._store.read_webhook, inactive.account, inactive.id)
        if webhook and webhook.inactive and due:
            await asyncio.to_thread(self._store.drop_deliveries, webhook, due)
        return pace if due else None

    def _keep(self, webhook: Webhook, attempts: Sequence[Attempt]) -> None:
        """Store what attempts made of their webhook, unless its account has changed its address meanwhile."""
        now = int(self._clock())
        known: Webhook | None = webhook
        for _ in range(_WRITES):
            if known is None or known.inactive or known.url != webhook.url:
                return
            following = after_attempts(known, attempts, now)
            if following == known or self._store.change_webhook(
                following._replace(version=known.version + 1)
            ):
                return
            known = self._store.read_webhook(webhook.account, webhook.id)


async def _together(work: Sequence[Any]) -> list[Any]:
    """Return what all of the work returns; raise only when all of it has ended."""
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results
