"""When a call is made again, and after how long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import tenacity

from brskills.errors import BrskillsError, ConfigurationError, ConnectionFailed

__all__ = ["repeating", "repeating_async", "set_up", "told"]

LEAST_WAIT, LONGEST_WAIT = 0.5, 86_400.0  # seconds
_by_chance = tenacity.wait_random_exponential(multiplier=1, max=20, min=LEAST_WAIT)


def repeating(retries: int, max_wait: float) -> tenacity.Retrying:
    """Repeats what may succeed later; the last error is the one that is raised."""
    return tenacity.Retrying(**_policy(retries, max_wait))


def repeating_async(retries: int, max_wait: float) -> tenacity.AsyncRetrying:
    """The same for coroutines."""
    return tenacity.AsyncRetrying(**_policy(retries, max_wait))


@contextmanager
def set_up() -> Iterator[None]:
    """What keeps httpx from being set up, as this package's error: the address or the environment."""
    try:
        yield
    except (httpx.InvalidURL, ImportError, OSError, ValueError):
        raise ConfigurationError(
            "the service's address, a proxy or the certificates of the environment cannot be used"
        ) from None


@contextmanager
def told() -> Iterator[None]:
    """Failures of the connection as this package's errors, without httpx's words: they may hold addresses."""
    try:
        yield
    except (httpx.RequestError, TimeoutError) as failure:
        raise ConnectionFailed(type(failure).__name__) from None
    except (httpx.InvalidURL, UnicodeError):
        raise ConfigurationError("the service's address or a header is not one") from None


def _policy(retries: int, max_wait: float) -> dict[str, Any]:
    return {
        "retry": tenacity.retry_if_exception(_is_transient),
        "wait": _wait,
        "stop": tenacity.stop_any(
            tenacity.stop_after_attempt(retries + 1), tenacity.stop_before_delay(min(max_wait, LONGEST_WAIT))
        ),
        "reraise": True,
    }


def _is_transient(error: BaseException) -> bool:
    return isinstance(error, BrskillsError) and error.transient


def _wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after if isinstance(error, BrskillsError) else None
    return float(asked) if asked else _by_chance(state)  # for 0 seconds as for none: never without a pause
