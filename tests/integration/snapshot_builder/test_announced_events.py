"""A webhook gets what the feed says of a new month, once, whatever is put in place again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import pytest

from brskills_server.outbound.public_network import Network
from brskills_server.webhooks.deliverer import Deliverer
from brskills_server.webhooks.poster import Poster
from brskills_server.webhooks.webhook import EVENT_TYPES, Secret, Webhook
from tests.integration.snapshot_builder.announced import ACCOUNTS, NOW, World
from tests.integration.snapshot_builder.building import DAY, LATER_DAY, NEXT_DAY, build, make_copy, publish
from tests.integration.snapshot_builder.test_history import changed, numbers_of
from tests.register.company import companies
from tests.services.receiver import Receiver, receiver

SECRET = Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")


@pytest.fixture
def receiving() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


def deliver(world: World) -> None:
    """Announce, and deliver everything."""
    world.announce()
    deliverer = Deliverer(world.store(), Poster("test", Network(allow_loopback=True)))

    async def serve() -> None:
        for webhook, until in await deliverer.claim(99):
            assert await deliverer.serve(webhook, until, inf) is None

    asyncio.run(serve())


def received_by(receiving: Receiver, account: str) -> list[dict[str, Any]]:
    events = [json.loads(one.body) for one in receiving.at(f"/{account}")]
    assert {event["type"] for event in events} <= {"company.changed"}
    return sorted((event["data"] for event in events), key=lambda data: str(data["id"]))


def test_a_month_is_announced_once_also_when_it_is_rolled_back_and_put_in_place_again(
    tmp_path: Path, receiving: Receiver
) -> None:
    registered = list(companies(31, 30))
    second = changed(registered, 1)
    months = [
        publish(tmp_path / "1", registered[:27], DAY),
        publish(tmp_path / "2", second[3:], NEXT_DAY),
        publish(tmp_path / "3", changed(second, 2), LATER_DAY),
    ]
    world = World(tmp_path / "copy", tmp_path / "brskills.db")
    build(world.folder, months[0].folder)
    world.watch(numbers_of(months))
    for account in ACCOUNTS:
        url = receiving.url(f"/{account}")
        assert world.store().add_webhook(
            Webhook(f"wh_{account}", account, url, EVENT_TYPES, None, (SECRET,), NOW), 5
        )
    deliver(world)
    assert receiving.received == []

    build(world.folder, months[1].folder)
    deliver(world)
    for account in ACCOUNTS:
        feed = sorted((one.as_answer() for one in world.feed(account)), key=lambda data: str(data["id"]))
        assert feed
        assert received_by(receiving, account) == feed
    before = len(receiving.received)
    for step in ("rollback", "rollback", "rollback", "rollback"):
        deliver(world)
        assert make_copy(world.folder, step)[0] == 0
        deliver(world)
    assert len(receiving.received) == before

    build(world.folder, months[2].folder)
    deliver(world)
    for account in ACCOUNTS:
        assert len(received_by(receiving, account)) == len(world.feed(account)) > before / 2
    assert len({one.id for one in receiving.received}) == len(receiving.received)
