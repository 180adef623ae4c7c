"""How large an answer may be, and what becomes of one that is larger.

AWS Lambda returns at most 6 MB, the JSON around a body and the escapes inside it included; what is larger
would be a 502 that nobody can explain.
"""

import json

from brskills_server.skills.errors import ApiError

__all__ = ["MAX_ANSWER_BYTES", "TOO_LARGE", "check_size", "is_too_large", "sent_bytes", "too_large"]

MAX_ANSWER_BYTES = 5_000_000
"""Of any answer's body, as ``sent_bytes`` counts it; so the body itself is never longer either."""

TOO_LARGE = ":too_large"

_LONGEST_ESCAPE = 6  # bytes that one character takes at most: \u0001
_ALONE_SECONDS, _AGAIN_SECONDS = 1, 86_400  # a smaller batch may come at once, a record lasts a day


def sent_bytes(text: str) -> int:
    """Return the length of a text inside the JSON object that a function on AWS returns, in bytes."""
    return len(json.dumps(text, ensure_ascii=False).encode(errors="surrogatepass"))


def check_size(body: str | bytes, most: int = MAX_ANSWER_BYTES) -> None:
    """Raise ``ApiError`` ``sources_unavailable`` where a body is longer; bytes travel in base64."""
    size = -(-len(body) // 3) * 4 if isinstance(body, bytes) else len(body) * _LONGEST_ESCAPE
    if size > most and (isinstance(body, bytes) or sent_bytes(body) > most):
        raise too_large(retry_after=_AGAIN_SECONDS)


def too_large(retry_after: int = _ALONE_SECONDS) -> ApiError:
    """Return the refusal of an answer that does not fit, which no source is to blame for."""
    parameters = {"retry_after": retry_after}
    return ApiError(
        "sources_unavailable",
        wording=TOO_LARGE,
        parameters=parameters,
        retry_after=retry_after,
        nothing_failed=True,
    )


def is_too_large(outcome: object) -> bool:
    """Whether an outcome stands in the place of an answer that does not fit."""
    return isinstance(outcome, ApiError) and outcome.wording == TOO_LARGE
