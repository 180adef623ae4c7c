"""A program of a caller, which `make check` checks with mypy: the types of both clients' methods."""

import asyncio
from typing import assert_type

from brskills import AsyncClient, Batch, Client, Company, PixCode, SearchPage, Usage
from brskills.pix import Charge


def at_once(client: Client, charge: Charge) -> None:
    assert_type(client.company("191", idade_maxima=3), Company)
    assert_type(client.create_pix_code(**charge), PixCode)
    assert_type(client.create_pix_codes([charge]), Batch[PixCode])
    assert_type(client.search(nome=["a"], uf="SP"), SearchPage)
    assert_type([*client.search_all(nome="a")], list[SearchPage])
    client.search(telefone="1")  # type: ignore[call-arg]
    client.company("191", colour=1)  # type: ignore[call-arg]
    client.company(None)  # type: ignore[arg-type]


async def awaited(client: AsyncClient) -> None:
    assert_type(await client.company(191), Company)
    assert_type(await asyncio.gather(client.company(191), client.usage()), tuple[Company, Usage])
    assert_type([page async for page in client.search_all(raiz=191)], list[SearchPage])
    async with asyncio.TaskGroup() as group:
        assert_type(await group.create_task(client.usage()), Usage)


def run() -> None:
    assert_type(asyncio.run(AsyncClient().usage()), Usage)
