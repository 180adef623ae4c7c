"""Webhooks for requests: add, change, rotate and test them."""

import secrets
import time
from base64 import b64encode
from collections.abc import Callable, Sequence
from typing import Any

from brskills_server.accounts.errors import InvalidKey, StoreUnavailable
from brskills_server.metering.window_limits import WebhookTests
from brskills_server.webhooks.event import webhook_test
from brskills_server.webhooks.ports import WebhookStore
from brskills_server.webhooks.webhook import MOST_WEBHOOKS, Secret, Webhook

OVERLAP_SECONDS = 86_400
"""How long a secret that was replaced signs, too."""

_SECRET_BYTES = 32
_TEST_KNOWN_SECONDS = 86_400
_TRIES = 5

Change = Callable[[Webhook], Webhook]


class WebhookInactive(Exception):
    """A webhook to which nothing is delivered."""


class Webhooks:
    """Webhooks of accounts; every method may raise ``StoreUnavailable``.

    ``allow_loopback``: whether addresses on this machine are allowed. ``clock``: epoch seconds.
    """

    def __init__(
        self,
        store: WebhookStore,
        tests: WebhookTests,
        *,
        allow_loopback: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._tests = tests
        self._clock = clock
        self.allow_loopback = allow_loopback

    def add(self, account: str, url: str, events: Sequence[str], description: str | None) -> Webhook | None:
        """Return a new webhook with its secret; ``None`` if the account has ``MOST_WEBHOOKS``.

        Raise ``InvalidKey`` for an unknown account.
        """
        now = self._clock()
        webhook = Webhook(
            id=f"wh_{int(now * 1000):011x}{secrets.token_hex(8)}",  # in the order in which they are made
            account=account,
            url=url,
            events=tuple(events),
            description=description,
            secrets=(_new_secret(),),
            created_at=int(now),
        )
        added = self._store.add_webhook(webhook, MOST_WEBHOOKS)
        if added is None:
            raise InvalidKey
        return webhook if added else None

    def change(self, account: str, webhook: str, **changed: Any) -> Webhook | None:
        """Return a webhook with fields replaced; ``None`` if the account has none of this id.

        ``changed``: ``url``, ``events``, ``description``, ``inactive``. Failures are forgotten where it has
        another address or is made active.
        """

        def with_fields(found: Webhook) -> Webhook:
            made = found._replace(**changed)
            is_new = made.url != found.url or changed.get("inactive") == ""
            return made._replace(failing_since=0) if is_new else made

        return self._change(account, webhook, with_fields)

    def rotate(self, account: str, webhook: str) -> tuple[Webhook, int] | None:
        """Return a webhook with a new secret, and until when the former one signs, too; ``None`` as before.

        An older one signs no more, so a second rotation ends a secret that others know.
        """
        now, new = int(self._clock()), _new_secret()
        ends = now + OVERLAP_SECONDS

        def with_new(found: Webhook) -> Webhook:
            return found._replace(secrets=(new, found.secrets[0]._replace(ends=ends)))

        rotated = self._change(account, webhook, with_new)
        return None if rotated is None else (rotated, ends)

    def test(self, account: str, webhook: str) -> str | None:
        """Add a test event, whatever the webhook wants, and return its id; ``None`` as before.

        Raise ``WebhookInactive``, or ``UncountedLimit`` after too many of the account in an hour.
        """
        found = self._store.read_webhook(account, webhook)
        if found is None:
            return None
        if found.inactive:
            raise WebhookInactive
        self._tests.take(account)
        now = int(self._clock())
        event = webhook_test(account, webhook, secrets.token_hex(16), now)
        if self._store.add_event(account, event, now, now + _TEST_KNOWN_SECONDS, only=webhook):
            return event.id
        if self._store.read_webhook(account, webhook) is None:
            return None
        raise WebhookInactive  # since it was read

    def _change(self, account: str, webhook: str, change: Change) -> Webhook | None:
        for _ in range(_TRIES):
            found = self._store.read_webhook(account, webhook)
            if found is None:
                return None
            changed = change(found)
            if changed == found:
                return found
            changed = changed._replace(version=found.version + 1)
            if self._store.change_webhook(changed):
                return changed
            # Another change, or a delivery's outcome, was faster: read again.
        raise StoreUnavailable("too many changes at once")


def _new_secret() -> Secret:
    return Secret("whsec_" + b64encode(secrets.token_bytes(_SECRET_BYTES)).decode())
