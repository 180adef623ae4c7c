"""The queue of webhooks with due deliveries, at Amazon SQS.

A message names an account and one of its webhooks. The deliveries are in the store: a message may be lost or
come twice.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from brskills_server.adapters.aws import aws_client

MOST_DELAY_SECONDS = 900
"""How long SQS keeps a message back at most."""

_BATCH = 10  # the most that SendMessageBatch takes
_SECONDS = 1.0  # of a request: callers wait for a message about each of their webhooks


class WebhookQueue:
    """The queue at an address, which is opened with the first message."""

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def _client(self) -> Any:
        config = Config(connect_timeout=_SECONDS, read_timeout=_SECONDS, retries={"total_max_attempts": 1})
        return aws_client("sqs", config)

    def wake(self, account: str, webhook: str, seconds: int = 0) -> None:
        """Send a message that comes after some seconds. Where it cannot be sent, the next sweep sends one."""
        with suppress(BotoCoreError, ClientError):
            self._client.send_message(
                QueueUrl=self._url, MessageBody=_message(account, webhook), DelaySeconds=seconds
            )

    def wake_all(self, names: Iterable[tuple[str, str]]) -> None:
        """Send messages that come at once. Raise ``BotoCoreError`` or ``ClientError``."""
        waiting = iter(names)
        while some := list(islice(waiting, _BATCH)):
            entries = [{"Id": str(n), "MessageBody": _message(*name)} for n, name in enumerate(some)]
            self._client.send_message_batch(QueueUrl=self._url, Entries=entries)


def _message(account: str, webhook: str) -> str:
    return json.dumps({"account": account, "webhook": webhook})


def read_message(body: str) -> tuple[str, str]:
    """Return the account and the webhook of a message. Raise ``KeyError`` or ``ValueError``."""
    message = json.loads(body)
    return message["account"], message["webhook"]
