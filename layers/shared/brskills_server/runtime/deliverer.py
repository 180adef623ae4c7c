"""The deliverer of a deployment, which posts events to the addresses of its webhooks."""

import asyncio
from collections.abc import Iterable

from brskills_server import telemetry
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.outbound.public_network import Network
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import VERSION
from brskills_server.telemetry.figures import DELIVERIES
from brskills_server.webhooks.deliverer import Deliverer
from brskills_server.webhooks.poster import Poster
from brskills_server.webhooks.thresholds import Thresholds

Name = tuple[str, str]
"""An account and the id of one of its webhooks."""


def open_deliverer(services: Services) -> Deliverer:
    """Return the deliverer; it keeps bounds for the whole process, so open it once."""
    settings = services.settings
    agent = f"brskills/{VERSION} (+{settings.project_url})"
    poster = Poster(agent, Network(allow_loopback=settings.webhook_allow_loopback == "1"))
    return Deliverer(services.store, poster, lambda outcome: telemetry.count(DELIVERIES, outcome))


def open_thresholds(services: Services) -> Thresholds:
    """Return the sweep for ``usage.threshold``; it remembers what it has said."""
    return Thresholds(services.store)


def deliver(deliverer: Deliverer, webhooks: Iterable[Name], until: float) -> dict[Name, int | None]:
    """Claim webhooks and make their pending deliveries, at most until a moment of ``time.monotonic``.

    Return for each the moment of its next delivery, in Unix seconds: ``None`` where there is none, or
    another process has it. Those at which the store failed are left out.
    """
    return asyncio.run(_deliver(deliverer, list(dict.fromkeys(webhooks)), until))


async def _deliver(deliverer: Deliverer, webhooks: list[Name], until: float) -> dict[Name, int | None]:
    work = (_claim_and_serve(deliverer, name, until) for name in webhooks)
    results = await asyncio.gather(*work, return_exceptions=True)
    served: dict[Name, int | None] = {}
    for name, result in zip(webhooks, results, strict=True):
        if isinstance(result, StoreUnavailable):
            continue
        if isinstance(result, BaseException):
            raise result
        served[name] = result
    return served


async def _claim_and_serve(deliverer: Deliverer, name: Name, until: float) -> int | None:
    claimed = await deliverer.claim_one(*name)
    return await deliverer.serve(*claimed, until) if claimed else None
