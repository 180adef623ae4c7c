"""The settings of a client, from its arguments or the environment."""

from __future__ import annotations

import os
import re

from brskills.errors import ConfigurationError

LOCAL_URL = "http://127.0.0.1:8000"
"""The default: the address of ``make run``."""

TIMEOUT, DEADLINE = 30.0, 120.0  # seconds, where none is given
LONGEST_TIMEOUT = 86_400  # seconds; systems differ in the longest wait that they accept


class NoKey(ConfigurationError):
    """A call needs a key, and none is set."""


class Settings:
    """Checked settings of a client, with defaults from the environment. Raise `ConfigurationError`."""

    def __init__(
        self,
        api_key: str | None,
        base_url: str | None,
        timeout: float | None,
        deadline: float | None,
        language: str,
    ) -> None:
        url = base_url or os.environ.get("BRSKILLS_URL") or LOCAL_URL
        key = api_key or os.environ.get("BRSKILLS_API_KEY") or None
        whole = next((each for each in (deadline, timeout) if each is not None), DEADLINE)
        timeout = TIMEOUT if timeout is None else timeout
        if not _is_address(url):
            raise ConfigurationError(
                "the service's address needs a scheme and host, as https://brskills.example"
            )
        if not (0 < timeout <= LONGEST_TIMEOUT and 0 < whole <= LONGEST_TIMEOUT):
            raise ConfigurationError(
                f"timeout and deadline must be above 0 and at most {LONGEST_TIMEOUT} seconds"
            )
        self.api_key, self.base_url = _checked(key), url.rstrip("/")
        self.timeout, self.deadline, self.language = timeout, whole, language

    def require_key(self) -> str:
        """Return the key that is set, else the saved one. Raise `NoKey`, or as `saved_key`."""
        if self.api_key is None:
            from brskills.keyfile import saved_key  # loads click, and is rarely needed

            self.api_key = _checked(saved_key())
        if self.api_key is None:
            raise NoKey(
                "an API key is needed: argument api_key, BRSKILLS_API_KEY, or one saved by `brskills chave`"
            )
        return self.api_key

    def headers(self, *, with_key: bool) -> dict[str, str]:
        """Return the headers of every call. Raise `NoKey` if ``with_key`` and none is set."""
        found = {
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
            "Accept-Language": self.language,
            "User-Agent": f"brskills-python/{installed_version()}",
        }
        return found | {"X-API-Key": self.require_key()} if with_key else found


def _checked(key: str | None) -> str | None:
    """Return the key. Raise `ConfigurationError` for characters that no header takes."""
    if key and not re.fullmatch("[!-~]+", key):
        raise ConfigurationError("the API key has invalid characters")  # without the key
    return key


def _is_address(url: str) -> bool:
    """Return whether the URL has a scheme, a host and a valid port, and nothing after its path."""
    from urllib.parse import urlsplit  # slow, and not needed to read codes

    try:
        return urlsplit(url).port != 0 and bool(re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#]*)?", url))
    except ValueError:
        return False


def installed_version() -> str:
    """Return the version of the installed distribution; ``checkout`` if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow, and rarely needed

    try:
        return version("brskills")
    except PackageNotFoundError:
        return "checkout"
