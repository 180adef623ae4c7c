"""What a client needs to know, from its arguments or the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from brskills.errors import ConfigurationError

__all__ = ["LOCAL_URL", "LONGEST_TIMEOUT", "NoKey", "Settings", "installed_version"]

LOCAL_URL = "http://127.0.0.1:8000"
"""Where ``make run`` serves: there is no public address that all use."""

DEADLINE = 120.0  # seconds
LONGEST_TIMEOUT = 86_400  # seconds; what a system can wait for differs


class NoKey(ConfigurationError):
    """A call needs a key, and there is none."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Checked settings; the parameters are those of ``Client``."""

    base_url: str
    api_key: str | None = field(repr=False)
    timeout: float
    retries: int
    max_wait: float
    language: str
    deadline: float

    @classmethod
    def of(
        cls,
        api_key: str | None,
        base_url: str | None,
        timeout: float,
        retries: int,
        max_wait: float,
        language: str,
        deadline: float | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> Settings:
        """``BRSKILLS_API_KEY`` and ``BRSKILLS_URL`` stand in for what is not given."""
        url = base_url or environment.get("BRSKILLS_URL") or LOCAL_URL
        key = api_key or environment.get("BRSKILLS_API_KEY") or None
        if not _is_address(url):
            raise ConfigurationError(
                "the service's address takes scheme and host, as https://brskills.example"
            )
        if key and not re.fullmatch("[!-~]+", key):
            raise ConfigurationError("the API key holds characters that no key has")  # and is not repeated
        whole = max(DEADLINE, timeout) if deadline is None else deadline
        if not (0 < timeout <= LONGEST_TIMEOUT and 0 < whole <= LONGEST_TIMEOUT):
            raise ConfigurationError(f"timeout and deadline are of some seconds, at most {LONGEST_TIMEOUT}")
        return cls(url.rstrip("/"), key, timeout, retries, max_wait, language, whole)

    def headers(self, *, with_key: bool) -> dict[str, str]:
        """The headers of every call; raises ``ConfigurationError`` where it needs a key and there is none."""
        found = {
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
            "Accept-Language": self.language,
            "User-Agent": f"brskills-python/{installed_version()}",
        }
        if not with_key:
            return found
        if self.api_key is None:
            raise NoKey(
                "an API key is needed: the argument api_key, or BRSKILLS_API_KEY "
                "(what `brskills chave` keeps is for the command)"
            )
        return found | {"X-API-Key": self.api_key}


def _is_address(url: str) -> bool:
    """Whether it has scheme, host and a port that there is, and nothing but a path behind them."""
    from urllib.parse import urlsplit  # slow, and not needed to read codes

    try:
        return urlsplit(url).port != 0 and bool(re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#]*)?", url))
    except ValueError:
        return False


def installed_version() -> str:
    """The version of the installed distribution; ``checkout`` where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow, and seldom needed

    try:
        return version("brskills")
    except PackageNotFoundError:
        return "checkout"
