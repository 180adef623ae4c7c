"""Deliveries to webhooks, in a thread of the gateway's first process; any number of machines may have one."""

from __future__ import annotations

import asyncio
import math
import threading
from asyncio import Task
from collections.abc import Coroutine
from typing import TypeVar

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.gateway.log import report
from brskills_server.webhooks.deliverer import Deliverer
from brskills_server.webhooks.webhook import Webhook

T = TypeVar("T")

MOST_WEBHOOKS = 512
"""Served at once; some wait for a place."""

LOOK_SECONDS = 1.0
PAUSE_SECONDS = 5.0  # after the store has failed
STOP_SECONDS = 5.0
"""How long attempts may take to be answered when the gateway stops; others are made again."""


class Deliveries:
    """A thread that has pending deliveries made until it is stopped."""

    def __init__(self, deliverer: Deliverer) -> None:
        self._deliverer = deliverer
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="deliveries", daemon=True)

    def start(self) -> None:
        """Start the thread, which ends with the process."""
        self._thread.start()

    def stop(self) -> None:
        """Begin no attempt, and return when those under way are recorded or given up."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        asyncio.run(self.run())

    async def run(self) -> None:
        """Do the thread's work in this event loop."""
        served: set[Task[None]] = set()
        while not self._stopped.is_set():
            served = {task for task in served if not task.done()}
            room = MOST_WEBHOOKS - len(served)
            claimed = await self._claim(room) if room else []
            if claimed is None:
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            served |= {asyncio.create_task(self._serve(*each)) for each in claimed}
            if len(claimed) < room:
                await asyncio.sleep(LOOK_SECONDS)
            else:
                await asyncio.wait(served, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        await self._end(served)

    async def _claim(self, most: int) -> list[tuple[Webhook, int]] | None:
        return await _reported(self._deliverer.claim(most), "claiming webhooks failed")

    async def _serve(self, webhook: Webhook, claimed_until: int) -> None:
        work = self._deliverer.serve(webhook, claimed_until, math.inf)
        await _reported(work, "serving a webhook failed", webhook=webhook.id)

    async def _end(self, served: set[Task[None]]) -> None:
        self._deliverer.stop()
        if served:
            _, late = await asyncio.wait(served, timeout=STOP_SECONDS)
            for task in late:
                task.cancel()  # it still releases its webhook
            await asyncio.gather(*late, return_exceptions=True)


async def _reported(work: Coroutine[None, None, T], message: str, **facts: str) -> T | None:
    """Return what the work returns, ``None`` where it fails, which is logged."""
    try:
        return await work
    except Exception as error:
        reason = str(error) if isinstance(error, StoreUnavailable) else ""  # others may quote an address
        report(message, **facts, error=type(error).__name__, reason=reason)
        return None
