"""A secret that is looked up by name when it is needed, so that it can be changed without a deployment.

The name is one of the Systems Manager's Parameter Store (``/brskills/stripe/api-key``), which also
hands out what the Secrets Manager keeps: ``/aws/reference/secretsmanager/<name>``. What only a look-up by
name needs is loaded then: a value given as it is asks nobody.
"""

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

__all__ = ["KEPT_SECONDS", "Secret"]

KEPT_SECONDS = 300
"""How long a process goes on with the value it knows."""


class Secret:
    """A value given as it is, or by name. Calling it gives the value, or raises ``unavailable``.

    The clock is the wall's: a monotonic one need not count the hours for which a process is frozen.
    """

    def __init__(
        self,
        value: str,
        name: str,
        unavailable: type[Exception],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._value = value
        self._name = name
        self._unavailable = unavailable
        self._clock = clock
        self._is_given = bool(value)
        self._read_at = float("-inf")

    def __call__(self) -> str:
        """The value as of at most :data:`KEPT_SECONDS` ago."""
        now = self._clock()
        # Before it was read only a clock can be that was put back.
        if not self._is_given and not self._read_at <= now < self._read_at + KEPT_SECONDS:
            self._value, self._read_at = self._read(), now
        return self._value

    def _read(self) -> str:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            answer = _parameters()(Name=self._name, WithDecryption=True)
        except (ClientError, BotoCoreError) as error:
            reason = (
                error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
            )
            raise self._unavailable(f"reading {self._name}: {reason}") from error
        return str(answer["Parameter"]["Value"]).strip()


@lru_cache(maxsize=1)
def _parameters() -> Callable[..., dict[str, dict[str, Any]]]:
    from botocore.config import Config

    from brskills_server.adapters.aws import aws_client

    config = Config(connect_timeout=1, read_timeout=2, retries={"total_max_attempts": 2})
    read: Callable[..., dict[str, dict[str, Any]]] = aws_client("ssm", config).get_parameter
    return read
