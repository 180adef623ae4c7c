"""A look-up in simulated time: both steps in one event loop; ``Registry`` takes them in two threads."""

import asyncio

from brskills_server.registry.answer import Answer
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.query import Freshness, Payer, Query
from tests.simulator.clock import VirtualLoop

PAYER = Payer("acc_payer", lambda: True)
"""An account whose share never ends."""


async def look_up(
    instance: ProviderLookup,
    cnpj: str,
    max_age: int | None = None,
    max_data_age: int | None = None,
    payer: Payer | None = PAYER,
) -> Answer:
    """What is known, else what the providers answer."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    await asyncio.sleep(loop.worker_seconds)  # the first read is as far away as the others
    known = instance.local.look_up(Query(cnpj, Freshness(max_age, max_data_age), payer))
    return known if isinstance(known, Answer) else await instance.look_up(known)
