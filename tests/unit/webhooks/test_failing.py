"""What attempts make of their webhook."""

from __future__ import annotations

from brskills_server.webhooks.failing import after_attempts, succeeded
from brskills_server.webhooks.webhook import EVENT_TYPES, FAILING, GONE, Attempt, Secret, Webhook
from tests.for_each import for_each

NOW = 1_795_000_000
DAY = 86_400
WEBHOOK = Webhook("wh_1", "acc_1", "https://x.example/", EVENT_TYPES, None, (Secret("whsec_x"),), NOW)


def attempt(status: int | None, number: int = 2) -> Attempt:
    return Attempt("msg_1", "webhook.test", number, NOW * 1000, status, "" if status else "timeout", 1)


@for_each("status", [200, 201, 204, 299])
def test_only_2xx_is_success(status: int) -> None:
    assert succeeded(attempt(status))


@for_each("status", [None, 100, 199, 300, 302, 304, 404, 410, 500, 999])
def test_nothing_else_is(status: int | None) -> None:
    assert not succeeded(attempt(status))


@for_each(
    ("since", "attempts", "expected"),
    [
        (0, [], (0, "")),
        (7, [], (7, "")),
        (0, [attempt(200)], (0, "")),
        (0, [attempt(500, 1)], (NOW, "")),
        (NOW - 9, [attempt(500)], (NOW - 9, "")),
        (NOW - 9, [attempt(500), attempt(200)], (0, "")),
        (NOW - 5 * DAY + 1, [attempt(None)], (NOW - 5 * DAY + 1, "")),
        (NOW - 5 * DAY, [attempt(None)], (NOW - 5 * DAY, FAILING)),
        (NOW - 5 * DAY, [attempt(200)], (0, "")),
        (NOW - 50 * DAY, [attempt(500, 1)], (NOW - 50 * DAY, "")),
        (NOW - 50 * DAY, [attempt(500, 1), attempt(302, 3)], (NOW - 50 * DAY, FAILING)),
        (NOW + DAY, [attempt(500)], (NOW, "")),  # by a clock that was ahead
        (0, [attempt(410, 1)], (0, GONE)),
        (7, [attempt(200), attempt(410)], (7, GONE)),
    ],
)
def test_a_webhook_fails_since_its_first_failure_and_ends_after_five_days(
    since: int, attempts: list[Attempt], expected: tuple[int, str]
) -> None:
    before = WEBHOOK._replace(failing_since=since)
    failing_since, inactive = expected
    assert after_attempts(before, attempts, NOW) == before._replace(
        failing_since=failing_since, inactive=inactive
    )
