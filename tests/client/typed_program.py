"""A program of a caller, which `make check` checks with mypy: the types of both clients' methods."""

import asyncio
from typing import assert_type

from flask import Request

from brskills import (
    AsyncClient,
    Batch,
    Client,
    Company,
    IssuedWebhook,
    PixCode,
    SearchPage,
    Usage,
    Webhook,
    WebhookEvent,
    verify_webhook,
)
from brskills.pix import Charge


def at_once(client: Client, charge: Charge) -> None:
    assert_type(client.company("191", idade_maxima=3), Company)
    assert_type(client.create_pix_code(**charge), PixCode)
    assert_type(client.create_pix_codes([charge]), Batch[PixCode])
    assert_type(client.search(nome=["a"], uf="SP"), SearchPage)
    assert_type([*client.search_all(nome="a")], list[SearchPage])
    assert_type(client.create_webhook("https://a.example", ["company.changed"]), IssuedWebhook)
    assert_type(client.change_webhook("wh_1", ativo=True), Webhook)
    client.change_webhook("wh_1", segredo="x")  # type: ignore[call-arg]
    client.search(telefone="1")  # type: ignore[call-arg]
    client.company("191", colour=1)  # type: ignore[call-arg]
    client.company(None)  # type: ignore[arg-type]


def receive(request: Request, secrets: list[str]) -> None:
    assert_type(verify_webhook(secrets, request.headers, request.get_data()), WebhookEvent)
    verify_webhook(secrets, request.environ, request.get_data(as_text=True))
    verify_webhook(secrets, dict(request.headers), request.get_json())


async def awaited(client: AsyncClient) -> None:
    assert_type(await client.company(191), Company)
    assert_type(await client.list_webhooks(), tuple[Webhook, ...])
    assert_type(await asyncio.gather(client.company(191), client.usage()), tuple[Company, Usage])
    assert_type([page async for page in client.search_all(raiz=191)], list[SearchPage])
    async with asyncio.TaskGroup() as group:
        assert_type(await group.create_task(client.usage()), Usage)


def run() -> None:
    assert_type(asyncio.run(AsyncClient().usage()), Usage)
