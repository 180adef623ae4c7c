"""The meaning of a provider's HTTP reply, which its status alone does not give.

A 200 must hold a record of the requested company, a 404 a JSON object.
"""

import json
from contextlib import suppress
from datetime import UTC
from decimal import Decimal
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import NamedTuple

from brskills_server.registry.providers.provider import Json, Provider
from brskills_server.registry.providers.reader import read_record
from brskills_server.registry.providers.results import (
    MAX_RETRY_AFTER,
    AttemptResult,
    Failed,
    Found,
    Missing,
    Rejected,
    Skipped,
)
from brskills_server.registry.values import InvalidResponse

MALFORMED = (ValueError, ArithmeticError, RecursionError, TypeError, LookupError, AttributeError)
"""What a malformed reply can make the JSON parser or a provider's map of fields raise."""

_DEFAULT_RETRY_AFTER = 60  # after a 429 that names no time: the quotas are per minute
# A paid address rejects the token or the account: further calls would only use up the day's.
_NO_ACCESS = {HTTPStatus.UNAUTHORIZED, HTTPStatus.PAYMENT_REQUIRED, HTTPStatus.FORBIDDEN}
_NO_ACCESS_RETRY_AFTER = 600


class Reply(NamedTuple):
    """An HTTP reply. ``retry_after``: the header, if there was one."""

    status: int
    retry_after: str | None
    body: bytes


def interpret(provider: Provider, cnpj: str, reply: Reply, now: float) -> AttemptResult:
    """Return the result for the company with a canonical number. ``now``: epoch seconds.

    Raise one of ``MALFORMED`` for a malformed reply.
    """
    if reply.status in {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}:
        return Skipped(provider, "unfit")  # the number is valid: this provider does not accept letters yet
    if reply.status not in {HTTPStatus.OK, HTTPStatus.NOT_FOUND}:
        rest = _rest(reply, now)
        if provider.paid and reply.status in _NO_ACCESS:
            rest = max(rest or 0, _NO_ACCESS_RETRY_AFTER)
        return Rejected(provider) if rest is None else Failed(provider, rest)
    answer = parse_object(reply.body)
    if provider.says_missing(reply.status, answer):
        return Missing(provider)
    if reply.status != HTTPStatus.OK:
        return Rejected(provider, unusable=True)
    record = read_record(provider, answer)
    if record.cnpj != cnpj:
        raise InvalidResponse("another company")
    return Found(provider, record)


def parse_object(body: bytes) -> Json:
    """Return a JSON object, parsed strictly: UTF-8, exact numbers. Raise one of ``MALFORMED``."""
    text = body.decode("utf-8-sig")
    answer = json.loads(text, parse_float=Decimal, parse_constant=_refuse)
    if "\\ud" in text.lower():
        # Half a surrogate pair, which JSON can escape, could be neither stored nor sent: UnicodeEncodeError.
        json.dumps(answer, ensure_ascii=False, default=str).encode()
    if not isinstance(answer, dict):
        raise InvalidResponse("not an object")
    return answer


def _refuse(constant: str) -> None:
    raise InvalidResponse(constant)  # NaN and Infinity are not JSON


def _rest(reply: Reply, now: float) -> int | None:
    """Return the seconds of a Retry-After, given as seconds or as a date (RFC 9110, 10.2.3)."""
    header = reply.retry_after
    seconds: float | None = _DEFAULT_RETRY_AFTER if reply.status == HTTPStatus.TOO_MANY_REQUESTS else None
    if header:
        with suppress(ValueError):
            seconds = int(header) if header.isdecimal() else _seconds_until(header, now)
    return None if seconds is None else int(min(max(seconds, 1), MAX_RETRY_AFTER))


def _seconds_until(header: str, now: float) -> float:
    moment = parsedate_to_datetime(header)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now
