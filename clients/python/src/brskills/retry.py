"""Retries of transient failures, and the translation of httpx's exceptions."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import tenacity

from brskills.errors import BrskillsError, ConfigurationError, ConnectionFailed

LEAST_WAIT, LONGEST_WAIT = 0.5, 86_400.0  # seconds
_random_wait = tenacity.wait_random_exponential(multiplier=1, max=20, min=LEAST_WAIT)


def retry_policy(retries: int, max_wait: float) -> dict[str, Any]:
    """Return the arguments of tenacity's ``Retrying``; the last error is raised."""
    return {
        "retry": tenacity.retry_if_exception(_is_transient),
        "wait": _wait,
        "stop": tenacity.stop_any(
            tenacity.stop_after_attempt(retries + 1), tenacity.stop_before_delay(min(max_wait, LONGEST_WAIT))
        ),
        "reraise": True,
    }


@contextmanager
def translate_setup_errors() -> Iterator[None]:
    """Raise what keeps httpx from being set up as `ConfigurationError`."""
    try:
        yield
    except (httpx.InvalidURL, ImportError, OSError, ValueError):
        raise ConfigurationError(
            "the service's address, a proxy or the certificates of the environment cannot be used"
        ) from None


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise connection failures as `BrskillsError`, without httpx's texts: they hold addresses."""
    try:
        yield
    except (httpx.RequestError, TimeoutError) as failure:
        raise ConnectionFailed(type(failure).__name__) from None
    except (httpx.InvalidURL, UnicodeError):
        raise ConfigurationError("the service's address or a header is invalid") from None


def _is_transient(error: BaseException) -> bool:
    return isinstance(error, BrskillsError) and error.transient


def _wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    requested = error.retry_after if isinstance(error, BrskillsError) else None
    return float(requested) if requested else _random_wait(state)  # pause even for 0 seconds
