"""The limit for an answer's size: AWS Lambda returns at most 6 MB, JSON and escapes included, else 502."""

import json

from brskills_server.skills.errors import ApiError

MAX_ANSWER_BYTES = 5_000_000
"""Limit for any answer's body, as ``sent_bytes`` counts it, so that the body itself is never longer."""

_LONGEST_ESCAPE = 6  # bytes that one character takes at most: \u0001

ALWAYS_FITS = MAX_ANSWER_BYTES // _LONGEST_ESCAPE
"""Length up to which a body needs no counting, whatever characters or bytes it holds."""

TOO_LARGE = ":too_large"

_ALONE_SECONDS, _AGAIN_SECONDS = 1, 86_400  # a smaller batch may come at once, a record lasts a day


def sent_bytes(text: str) -> int:
    """Return the length of a text inside the JSON object that a function on AWS returns, in bytes."""
    return len(json.dumps(text, ensure_ascii=False).encode(errors="surrogatepass"))


def check_size(body: str | bytes, most: int = MAX_ANSWER_BYTES) -> None:
    """Raise ``ApiError`` ``sources_unavailable`` if a body is longer; bytes travel in base64."""
    size = -(-len(body) // 3) * 4 if isinstance(body, bytes) else len(body) * _LONGEST_ESCAPE
    if size > most and (isinstance(body, bytes) or sent_bytes(body) > most):
        raise too_large(retry_after=_AGAIN_SECONDS)


def too_large(retry_after: int = _ALONE_SECONDS) -> ApiError:
    """Return the error for an answer that does not fit, which no source has caused."""
    parameters = {"retry_after": retry_after}
    return ApiError(
        "sources_unavailable",
        wording=TOO_LARGE,
        parameters=parameters,
        retry_after=retry_after,
        nothing_failed=True,
    )


def is_too_large(outcome: object) -> bool:
    """Whether an outcome replaces an answer that does not fit."""
    return isinstance(outcome, ApiError) and outcome.wording == TOO_LARGE
