"""A deliverer in simulated time: receivers answer as a test decides, and days cost seconds."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from brskills_server.accounts.account import Account
from brskills_server.adapters.stores import AccessStore
from brskills_server.gateway.deliveries import Deliveries
from brskills_server.webhooks.deliverer import Deliverer
from brskills_server.webhooks.event import webhook_test
from brskills_server.webhooks.poster import SECONDS, Answer
from brskills_server.webhooks.webhook import EVENT_TYPES, Secret, Webhook
from tests.services.store import in_memory
from tests.simulator.clock import EPOCH, VirtualLoop

SECRET = Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
YEAR = 366 * 86_400


class Post(NamedTuple):
    """A request; ``at``: simulated seconds since the beginning."""

    at: float
    url: str
    id: str
    body: str
    headers: Mapping[str, str]


def answered(status: int | None, seconds: float = 0.01, retry_after: int = 0) -> Callable[[Post], Any]:
    """Answer with a status, or with nothing for a time-out."""

    async def answer(_: Post) -> Answer:
        await asyncio.sleep(SECONDS if status is None else seconds)
        return Answer(status, "" if status else "timeout", retry_after)

    return answer


class World:
    """Accounts, their webhooks, and receivers; ``answers`` by URL, others answer 204."""

    def __init__(self, store: AccessStore | None = None) -> None:
        self.loop = VirtualLoop(worker_seconds=0.001)
        self.store = store or in_memory()
        self.shift = 0.0
        self.answers: dict[str, Callable[[Post], Any]] = {}
        self.posts: list[Post] = []
        self.outcomes: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self._in_progress: Counter[str] = Counter()
        self._made = 0

    def clock(self) -> float:
        return self.loop.clock() + self.shift

    async def post(self, address: str, headers: Mapping[str, str], body: bytes) -> Answer:
        made = Post(self.loop.time(), address, headers["webhook-id"], body.decode(), headers)
        self.posts.append(made)
        names = ("", address, urlsplit(address).hostname or "")
        for name in names:
            self._in_progress[name] += 1
            self.most[name] = max(self.most[name], self._in_progress[name])
        try:
            answer: Answer = await self.answers.get(address, answered(204))(made)
        finally:
            self._in_progress.subtract(names)
        return answer

    def deliverer(self, store: AccessStore | None = None) -> Deliverer:
        return Deliverer(
            store or self.store,
            self,  # type: ignore[arg-type]
            lambda outcome: self.outcomes.update([outcome]),
            self.clock,
            random.Random(1).uniform,
        )

    def webhook(self, name: str = "wh_1", account: str = "acc_1", url: str = "https://a.example/") -> Webhook:
        self.store.open_account(Account(account, "pro", None, {f"key of {account}": 0}))
        made = Webhook(name, account, url, EVENT_TYPES, None, (SECRET,), EPOCH)
        assert self.store.add_webhook(made, 99)
        return made

    def add(self, webhook: Webhook, number: int = 1) -> list[str]:
        """Add pending events; return their ids."""
        events = [
            webhook_test(webhook.account, webhook.id, f"{self._made + n}", int(self.clock()))
            for n in range(number)
        ]
        self._made += number
        for event in events:
            now = int(self.clock())
            self.store.add_event(webhook.account, event, now, now + YEAR, webhook.id)
        return [event.id for event in events]

    def stored(self, webhook: Webhook) -> Webhook:
        found = self.store.read_webhook(webhook.account, webhook.id)
        assert found
        return found

    def due(self, webhook: Webhook) -> list[Any]:
        return self.store.due_deliveries(webhook, EPOCH + YEAR, 10_000)

    def run(
        self, *until: float | tuple[float, Callable[[], object]], store: AccessStore | None = None
    ) -> None:
        """Let a gateway deliver until the last moment, and do what else is to be done at a moment."""
        deliveries = Deliveries(self.deliverer(store))

        async def go() -> None:
            task = asyncio.create_task(deliveries.run())
            for each in until:
                at, do = each if isinstance(each, tuple) else (each, lambda: None)
                await asyncio.sleep(at - self.loop.time())
                do()
            deliveries._stopped.set()
            await task

        self.loop.run_until_complete(go())
