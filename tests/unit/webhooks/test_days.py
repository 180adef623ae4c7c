"""Deliveries over simulated days: retries, ends, changes by the account, clocks and stores that fail."""

from __future__ import annotations

import base64
import random
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
import standardwebhooks

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.gateway import deliveries
from brskills_server.webhooks.deliverer import MOST_AT_ONCE
from brskills_server.webhooks.retries import DELAYS
from brskills_server.webhooks.webhook import FAILING, GONE, Secret
from tests.simulator.clock import EPOCH
from tests.unit.webhooks.simulated import SECRET, World, answered

HOUR, DAY = 3600.0, 86_400.0
URL = "https://a.example/"


def signatures(secret: Secret, post: Any) -> bool:
    """Return whether a secret signed a request."""
    moment = datetime.fromtimestamp(int(post.headers["webhook-timestamp"]), UTC)
    signed = standardwebhooks.Webhook(secret.value).sign(post.id, moment, post.body)
    return signed in post.headers["webhook-signature"].split(" ")


def test_what_is_due_is_delivered_within_two_seconds(world: World) -> None:
    webhook = world.webhook()
    world.run(10, (20, lambda: world.add(webhook)), 30)
    (post,) = world.posts
    assert post.at < 22
    assert signatures(SECRET, post)
    assert post.headers["webhook-timestamp"] == str(EPOCH + int(post.at))
    assert world.due(webhook) == []
    (attempt,) = world.store.list_attempts(webhook, 9)
    assert (attempt.id, attempt.number, attempt.status, attempt.error) == (post.id, 1, 204, "")
    assert abs(attempt.at - 1000 * (EPOCH + post.at)) <= 1
    assert attempt.duration == 10
    assert world.stored(webhook) == webhook
    assert world.outcomes == {"delivered": 1}


@pytest.mark.parametrize(("status", "outcome"), [(500, "rejected"), (302, "rejected"), (None, "failed")])
def test_a_failure_is_made_again_ten_times_and_given_up(
    world: World, rarely: float, status: int | None, outcome: str
) -> None:
    webhook = world.webhook()
    world.add(webhook)
    world.answers[URL] = answered(status)
    world.run(5 * DAY)
    assert len(world.posts) == 10
    for delay, (one, next_one) in zip(DELAYS, pairwise(world.posts), strict=True):
        assert 0.8 * delay <= next_one.at - one.at <= 1.2 * delay + 16 + rarely
    assert len({(post.id, post.body) for post in world.posts}) == 1
    assert [post.headers["webhook-timestamp"] for post in world.posts] == [
        str(int(EPOCH + post.at)) for post in world.posts
    ]
    assert all(signatures(SECRET, post) for post in world.posts)
    assert [one.number for one in world.store.list_attempts(webhook, 99)] == [*range(10, 0, -1)]
    assert world.due(webhook) == []
    assert world.outcomes == {outcome: 9, "given_up": 1}
    assert world.stored(webhook).inactive == ""  # it failed for three days


@pytest.mark.usefixtures("rarely")
def test_a_receiver_that_is_back_gets_everything_and_has_not_failed(world: World) -> None:
    webhook = world.webhook()
    added = world.add(webhook, 20)
    world.answers[URL] = answered(503)

    def is_failing() -> None:
        assert EPOCH <= world.stored(webhook).failing_since <= EPOCH + 60
        del world.answers[URL]

    world.run((3 * HOUR, is_failing), 9 * HOUR)
    assert {post.id for post in world.posts if post.at > 3 * HOUR} == set(added)
    assert world.due(webhook) == []
    assert world.stored(webhook).failing_since == 0


@pytest.mark.usefixtures("rarely")
def test_after_five_days_of_failures_it_is_inactive_and_asked_no_more(world: World) -> None:
    webhook = world.webhook()
    world.answers[URL] = answered(500)
    hours = [(n * HOUR, lambda: world.add(webhook)) for n in range(1, 7 * 24)]
    world.run(*hours, 8 * DAY)
    found = world.stored(webhook)
    assert found.inactive == FAILING
    assert EPOCH + HOUR <= found.failing_since <= EPOCH + HOUR + 61
    last = world.posts[-1].at
    assert 5 * DAY <= last - HOUR <= 5 * DAY + HOUR
    assert world.due(webhook) == []
    assert not world.store.claim_webhooks(EPOCH + 99 * int(DAY), EPOCH + 100 * int(DAY), 9)


def test_five_days_with_one_success_are_not_five_days(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "LOOK_SECONDS", 600.0)
    webhook = world.webhook()
    world.answers[URL] = answered(500)
    hours: list[Any] = [(n * HOUR, lambda: world.add(webhook)) for n in range(1, 8 * 24)]
    hours[71] = (hours[71][0], lambda: (world.answers.pop(URL), world.add(webhook)))
    hours[72] = (hours[72][0], lambda: world.answers.update({URL: answered(500)}))
    world.run(*hours, 7.9 * DAY)
    assert world.stored(webhook).inactive == ""


def test_one_failure_long_after_others_is_made_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "LOOK_SECONDS", 600.0)
    webhook = world.webhook()
    world.answers[URL] = answered(500)
    first = world.add(webhook)
    second: list[str] = []
    back = (30 * DAY + 70, world.answers.clear)
    world.run(0.5, (30 * DAY, lambda: second.extend(world.add(webhook))), back, 31 * DAY)
    assert [post.id for post in world.posts[-2:]] == second * 2
    assert world.posts[0].id == first[0]
    assert world.stored(webhook) == webhook._replace(failing_since=0, version=world.stored(webhook).version)


@pytest.mark.usefixtures("rarely")
def test_410_ends_it_at_once(world: World) -> None:
    webhook, other = world.webhook(), world.webhook("wh_2", url="https://b.example/")
    world.answers[URL] = answered(410)
    world.add(webhook, 9)
    added = world.add(other, 9)
    world.run(DAY)
    assert [post.url for post in world.posts].count(URL) == 1
    assert world.stored(webhook).inactive == GONE
    assert world.due(webhook) == []
    assert {post.id for post in world.posts if post.url != URL} == set(added)
    assert world.stored(other) == other
    (attempt,) = world.store.list_attempts(webhook, 9)
    assert attempt.status == 410
    assert world.outcomes == {"rejected": 1, "delivered": 9}


def test_a_wait_that_the_receiver_asks_for(world: World) -> None:
    webhook = world.webhook()
    world.answers[URL] = answered(429, retry_after=100)
    world.add(webhook)
    world.run(50, (60, world.answers.clear), 200)
    assert [100 <= post.at <= 103 for post in world.posts] == [False, True]


def test_what_its_account_changes_applies_to_the_next_attempt(world: World) -> None:
    webhook = world.webhook()
    world.add(webhook, 1_000)
    world.answers[URL] = answered(200, 1)

    def change(**fields: Any) -> None:
        found = world.stored(webhook)
        assert world.store.change_webhook(found._replace(**fields, version=found.version + 1))

    newer = Secret("whsec_" + base64.b64encode(bytes(32)).decode())
    rotated = {"url": "https://b.example/", "secrets": (newer, SECRET._replace(ends=EPOCH + 24))}
    world.run((10.5, lambda: change(**rotated)), (40.5, lambda: change(inactive="pedido")), 200)
    begun = next(post.at for post in world.posts if post.url != URL)
    assert 10.5 < begun < 11.6
    assert {(post.url, post.at < begun) for post in world.posts} == {
        (URL, True),
        ("https://b.example/", False),
    }
    for post in world.posts:
        assert signatures(newer, post) == (post.at >= begun)
        assert signatures(SECRET, post) == (post.at < 24)
    assert world.posts[-1].at < 42
    assert world.due(webhook) == []
    found = world.stored(webhook)
    assert (found.inactive, found.url) == ("pedido", "https://b.example/")


def test_a_webhook_that_is_deleted_is_asked_no_more(world: World) -> None:
    webhook = world.webhook()
    world.add(webhook, 1_000)
    world.answers[URL] = answered(200, 1)
    world.run((5, lambda: world.store.delete_webhook("acc_1", "wh_1")), 100)
    assert world.posts[-1].at < 7
    assert world.store.read_webhook("acc_1", "wh_1") is None


def test_410_of_a_former_address_does_not_end_the_new_one(world: World) -> None:
    webhook = world.webhook()
    world.add(webhook)
    world.answers[URL] = answered(410, seconds=9)

    def change() -> None:
        assert world.store.change_webhook(webhook._replace(url="https://b.example/", version=2))

    world.run((5, change), 60)
    assert world.stored(webhook).inactive == ""


@pytest.mark.parametrize("jump", [-3 * DAY, -HOUR, -1.0, 1.0, HOUR, 30 * DAY])
@pytest.mark.parametrize("status", [204, 500])
def test_a_clock_that_jumps_loses_nothing(
    world: World, jump: float, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook, other = world.webhook(), world.webhook("wh_2", "acc_2", "https://b.example/")
    added = [*world.add(webhook, 30), *world.add(other, 30)]
    for url in (URL, "https://b.example/"):
        world.answers[url] = answered(status, 1)

    def jumps() -> None:
        world.shift = jump
        world.answers.clear()
        added.extend(world.add(webhook, 10) + world.add(other, 10))

    # What was recorded by a clock that was ahead waits for its moment.
    monkeypatch.setattr(deliveries, "LOOK_SECONDS", 20.0)
    world.run((4.5, jumps), max(0, -jump) + DAY / 4)
    assert {post.id for post in world.posts} == set(added)
    assert world.due(webhook) == world.due(other) == []
    assert world.stored(webhook).inactive == world.stored(other).inactive == ""
    new = {post.id for post in world.posts if post.at < 60}
    assert jump < 0 or set(added[60:]) <= new


class Unreliable:
    """A store whose calls fail one in five times, half of them after they were applied."""

    def __init__(self, store: Any, chance: random.Random) -> None:
        self._store, self._chance = store, chance

    def __getattr__(self, name: str) -> Any:
        run = getattr(self._store, name)

        def call(*arguments: Any) -> Any:
            fails = self._chance.random() < 0.2
            if fails and self._chance.random() < 0.5:
                raise StoreUnavailable("no connection")
            result = run(*arguments)
            if fails:
                raise StoreUnavailable("no answer")
            return result

        return call


MORE = [pytest.param(seed, marks=pytest.mark.thorough) for seed in range(2, 20)]


@pytest.mark.parametrize("seed", [0, 1, *MORE])
def test_a_store_that_fails_loses_nothing(world: World, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, lines = random.Random(seed), list[dict[str, Any]]()
    monkeypatch.setattr(deliveries, "LOOK_SECONDS", 10.0)
    monkeypatch.setattr(deliveries, "report", lambda message, **facts: lines.append(facts))
    webhooks = [world.webhook(f"wh_{n}", f"acc_{n}", f"https://{n}.example/s?token=t") for n in range(4)]
    added = {webhook.url: set(world.add(webhook, 50)) for webhook in webhooks}
    world.answers[webhooks[0].url] = lambda post: answered(500 if post.at < HOUR else 200)(post)
    world.run(DAY, store=Unreliable(world.store, chance))
    for webhook in webhooks:
        assert {post.id for post in world.posts if post.url == webhook.url} == added[webhook.url]
        assert world.due(webhook) == []
    bodies = {post.id: post.body for post in world.posts}
    assert all(bodies[post.id] == post.body for post in world.posts)
    assert lines
    assert {facts["error"] for facts in lines} == {"StoreUnavailable"}
    assert not any("example" in str(facts) for facts in lines)


def test_attempts_under_way_are_recorded_when_it_stops(world: World) -> None:
    webhook = world.webhook()
    world.add(webhook, 100)
    world.answers[URL] = answered(200, 3)
    world.run(16)
    assert len(world.posts) == len(world.store.list_attempts(webhook, 99)) > MOST_AT_ONCE
    assert len(world.due(webhook)) == 100 - len(world.posts)


def test_those_that_last_are_made_again_at_once_by_another(world: World) -> None:
    webhook = world.webhook()
    (added,) = world.add(webhook)
    world.answers[URL] = answered(200, 14)
    world.run(3)
    assert world.loop.time() < 3 + 1 + deliveries.STOP_SECONDS + 1
    assert world.store.list_attempts(webhook, 9) == []
    world.answers.clear()
    world.run(world.loop.time() + 2)
    assert [post.id for post in world.posts] == [added, added]
    assert world.due(webhook) == []


@pytest.mark.parametrize("step", ["due_deliveries", "read_webhook", "drop_deliveries"])
def test_no_event_is_lost_that_is_added_as_a_webhook_is_activated(world: World, step: str) -> None:
    webhook = world.webhook()
    world.add(webhook)
    assert world.store.change_webhook(webhook._replace(inactive="pedido", version=2))
    added: list[str] = []

    class Activated:
        """The store of an account that is faster than a step."""

        def __getattr__(self, name: str) -> Any:
            if name == step and not added:
                assert world.store.change_webhook(webhook._replace(version=3))
                added.extend(world.add(webhook))
            return getattr(world.store, name)

    world.run(30, store=Activated())  # type: ignore[arg-type]
    assert {*added} <= {post.id for post in world.posts}
    assert world.due(webhook) == []
