"""Bounds of attempts at the same time, and that nobody waits for the receivers of another account."""

from __future__ import annotations

import asyncio
from typing import Any

from brskills_server.webhooks.bounds import MOST, MOST_OF_ACCOUNT, MOST_TO_HOST
from brskills_server.webhooks.poster import Answer
from brskills_server.webhooks.webhook import Webhook
from tests.simulator.clock import EPOCH
from tests.unit.webhooks.simulated import Post, World, answered

LATE = answered(200, 14.9)


def several(world: World, number: int, **fields: Any) -> list[Webhook]:
    return [
        world.webhook(
            f"wh_{n:03}",
            fields.get("account", f"acc_{n:03}"),
            fields.get("url", f"https://{n}.example/"),
        )
        for n in range(number)
    ]


def several_quick(world: World) -> list[Webhook]:
    return [world.webhook(f"wh_quick{n}", f"acc_q{n}", f"https://quick{n}.example/") for n in range(10)]


def test_one_that_answers_gets_up_to_four_at_once_and_one_that_fails_one(world: World) -> None:
    webhook = world.webhook()
    world.add(webhook, 100)
    seen: list[int] = []

    async def answer(_: Post) -> Answer:
        seen.append(world._in_progress[webhook.url])
        await asyncio.sleep(0.5)
        return Answer(200 if len(seen) < 50 or len(seen) > 60 else 500)

    world.answers[webhook.url] = answer
    world.run(100)
    assert seen[:7] == [1, 1, 2, 1, 2, 3, 4]
    assert set(seen[52:60]) == {1}
    assert max(seen) == max(seen[60:]) == 4


def test_slow_and_silent_receivers_delay_nobody_else(world: World) -> None:
    slow = several(world, 200)
    for n, webhook in enumerate(slow):
        world.add(webhook, 20)
        world.answers[webhook.url] = LATE if n % 2 else answered(None)
    quick = world.webhook("wh_quick", "acc_quick", "https://quick.example/")
    moments = [(at, lambda: world.add(quick)) for at in range(5, 65, 5)]
    world.run(*moments, 70)
    arrived = [post.at for post in world.posts if post.url == quick.url]
    assert all(at <= arrival < at + 2 for (at, _), arrival in zip(moments, arrived, strict=True))


def test_however_many_fail_half_of_the_places_are_kept_from_them(world: World) -> None:
    failing = several(world, 300)
    for webhook in failing:
        world.store.change_webhook(webhook._replace(failing_since=EPOCH, version=2))
        world.add(webhook, 20)
        world.answers[webhook.url] = answered(None)
    quick = several_quick(world)
    moments = [(at, lambda: [world.add(webhook, 5) for webhook in quick]) for at in range(5, 125, 20)]
    world.run(*moments, 130)
    urls = {webhook.url for webhook in quick}
    arrived = [post.at for post in world.posts if post.url in urls]
    assert len(arrived) == 6 * 5 * len(quick)
    assert all(any(at <= arrival < at + 2.5 for at, _ in moments) for arrival in arrived)
    assert max(world.most[webhook.url] for webhook in failing) == 1
    served = {post.url for post in world.posts} - urls
    assert len(served) == 300


def test_an_account_has_eight_and_its_other_webhooks_have_theirs(world: World) -> None:
    several(world, 5, account="acc_1")
    webhooks = world.store.list_webhooks("acc_1")
    for webhook in webhooks:
        world.add(webhook, 100)
        world.answers[webhook.url] = answered(200, 0.9)
    world.run(29)
    assert world.most[""] == MOST_OF_ACCOUNT
    of_each = [sum(post.url == webhook.url for post in world.posts) for webhook in webhooks]
    assert min(of_each) > 0.8 * max(of_each)


def test_a_host_gets_eight_whoever_has_it(world: World) -> None:
    webhooks = several(world, 20, url="https://one.example/")
    for webhook in webhooks:
        world.add(webhook, 20)
    world.answers["https://one.example/"] = answered(200, 1)
    world.run(100)
    assert world.most["one.example"] == MOST_TO_HOST
    assert len({post.id for post in world.posts}) == 400


def test_all_together_have_a_bound(world: World) -> None:
    for webhook in several(world, 300):
        world.add(webhook, 8)
        world.answers[webhook.url] = answered(200, 2)
    world.run(120)
    assert world.most[""] == MOST
    assert len({post.id for post in world.posts}) == len(world.posts) == 2_400


def test_what_waits_in_vain_for_a_place_is_released_and_delivered_later(world: World) -> None:
    for webhook in several(world, 20, url="https://one.example/"):
        world.add(webhook)
    world.answers["https://one.example/"] = answered(None)
    world.run(40, (45, world.answers.clear), 800)
    assert len({post.id for post in world.posts if post.at > 45}) >= 16
    assert world.most["one.example"] == MOST_TO_HOST
    assert not any(world.due(webhook) for webhook in world.store.webhooks_of_all(("", ""), 99))
