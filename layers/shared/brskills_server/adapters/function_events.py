"""Events that a function on AWS Lambda sends to itself, to be handled by a later run of it."""

import json
from contextlib import suppress
from functools import cached_property
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from brskills_server.adapters.aws import aws_client

_ALIAS = "live"  # as template.yaml names it
_SECONDS = 1.0  # of a request: a caller waits for it


class FunctionEvents:
    """Asynchronous runs of a function; the client is made for the first."""

    def __init__(self, function: str) -> None:
        self._function = f"{function}:{_ALIAS}"

    def send(self, event: dict[str, Any]) -> None:
        """Have an event handled. Where it cannot be sent, nothing happens."""
        with suppress(BotoCoreError, ClientError):
            self._client.invoke(
                FunctionName=self._function, InvocationType="Event", Payload=json.dumps(event)
            )

    @cached_property
    def _client(self) -> Any:
        config = Config(connect_timeout=_SECONDS, read_timeout=_SECONDS, retries={"total_max_attempts": 1})
        return aws_client("lambda", config)
