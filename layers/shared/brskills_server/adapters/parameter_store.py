"""Secrets in AWS Systems Manager's Parameter Store, read when needed, so that rotation needs no deployment.

``ssm:/brskills/stripe/api-key`` names a parameter; ``ssm:/aws/reference/secretsmanager/NAME`` a secret of the
Secrets Manager, which the Parameter Store hands out too.
"""

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

CACHE_SECONDS = 300


class ParameterUnavailable(ValueError):
    """A parameter that cannot be read; the message continues a sentence about the setting."""


class Secret:
    """A secret setting. Calling it returns the value, at most `CACHE_SECONDS` old, or raises ``unavailable``.

    ``setting`` is the literal value or ``ssm:/name``. The clock is the wall's: a monotonic one need not count
    the hours for which a process is frozen.
    """

    def __init__(
        self, setting: str, unavailable: type[Exception], clock: Callable[[], float] = time.time
    ) -> None:
        scheme, _, name = setting.partition(":")
        self._name = name if scheme == "ssm" else ""
        self._value = setting
        self._unavailable = unavailable
        self._clock = clock
        self._read_at = float("-inf")

    def __call__(self) -> str:
        """Return the value."""
        now = self._clock()
        # A clock that was set back is before the last reading.
        if self._name and not self._read_at <= now < self._read_at + CACHE_SECONDS:
            try:
                self._value, self._read_at = read_parameter(self._name), now
            except ParameterUnavailable as error:
                raise self._unavailable(f"a secret {error}") from error
        return self._value


def read_parameter(name: str) -> str:
    """Return a parameter's value. Raise `ParameterUnavailable`."""
    # A literal secret needs no botocore.
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        answer = _get_parameter()(Name=name, WithDecryption=True)
    except (ClientError, BotoCoreError) as error:
        code = error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
        raise ParameterUnavailable(f"cannot be read from {name}: {code}") from error
    return str(answer["Parameter"]["Value"]).strip()


@lru_cache(maxsize=1)
def _get_parameter() -> Callable[..., dict[str, dict[str, Any]]]:
    from botocore.config import Config

    from brskills_server.adapters.aws import aws_client

    config = Config(connect_timeout=1, read_timeout=2, retries={"total_max_attempts": 2})
    get: Callable[..., dict[str, dict[str, Any]]] = aws_client("ssm", config).get_parameter
    return get
