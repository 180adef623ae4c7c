"""Providers' answers: any status, any bytes, on the way that an answer takes."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import httpx

from brskills_server.registry.providers import PAID_IDS
from brskills_server.registry.providers.catalogue import PAID_PROVIDERS, PROVIDERS
from brskills_server.registry.providers.client import ProviderClient
from brskills_server.registry.providers.results import Failed, Found, Missing, Skipped
from lab.fuzz import hostile
from lab.fuzz.driving import Target
from tests.simulator.transport import Answered
from tests.unit.registry.test_hostile_answers import NUMBER, OTHER, SAMPLES, judge

STATUSES = [200, 200, 200, 200, 404, 400, 401, 402, 403, 422, 429, 500, 204, 301, 304, 600]
DELAYS = ["1", "-1", "9" * 30, "Wed, 21 Oct 2026 07:28:00 GMT", "x", "²"]


@contextmanager
def open_answers() -> Iterator[Target]:
    """A target: one answer to one provider's question."""
    sent: list[httpx.Response] = []
    tokens = dict.fromkeys(PAID_IDS, lambda: "token")
    fetcher = ProviderClient({}, Answered(httpx.MockTransport(lambda _: sent.pop())), tokens=tokens)

    def run(chance: Random) -> None:
        name, number, right = chance.choice(SAMPLES)
        asked = chance.choice([number, number, NUMBER, OTHER])
        paid = name in PAID_IDS and chance.random() < 0.2
        provider = PAID_PROVIDERS[name] if paid else PROVIDERS[name]
        body = _body(chance, right)
        headers: dict[str, bytes] = {}
        if chance.random() < 0.3:
            headers = {"Retry-After": chance.choice(DELAYS).encode()}
        sent[:] = [httpx.Response(chance.choice(STATUSES), headers=headers, content=body)]
        result = runner.run(fetcher.fetch_company(provider, asked, 1))
        if isinstance(result, Skipped):
            return
        if isinstance(result, Failed):
            assert result.retry_after is not None
            assert 1 <= result.retry_after <= 86_400
        if isinstance(result, Found | Missing):
            judge(provider.id, asked, result)

    with asyncio.Runner() as runner:
        yield run
        runner.run(fetcher.close())


def _body(chance: Random, right: object) -> bytes:
    way = chance.randrange(10)
    if way == 0:
        return chance.randbytes(chance.randrange(200))
    if way == 1:
        return hostile.json_bytes(chance, hostile.value(chance))
    return hostile.json_bytes(chance, hostile.changed_json(chance, right))
