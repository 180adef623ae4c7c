"""Sandbox companies: six numbers with fixed answers, without network and store.

Their check digits are right, and no real number begins like them (the registry never issues an "O").
"""

from __future__ import annotations

import json
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from brskills_server.registry.answer import Answer
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.query import Query

ABSENT, UNAVAILABLE, _STALE = "SANDBOX4000103", "SANDBOX5000158", "SANDBOX6000100"
SANDBOX_NUMBERS = frozenset(
    {"SANDBOX1000170", "SANDBOX2000114", "SANDBOX3000169", ABSENT, UNAVAILABLE, _STALE}
)
SANDBOX_DAY = date(2026, 10, 15)
"""The day that takes the place of today for sandbox companies, so that their answers never change."""

_STALE_AGE = 30 * 86_400
_RETRY_AFTER = 30


def sandbox_answer(query: Query, now: int) -> Answer:
    """Return the answer to a query for a sandbox number at ``now`` (epoch seconds).

    Raise ``CompanyNotFound`` and ``SourcesUnavailable``, as a look-up does.
    """
    cnpj, freshness = query.cnpj, query.freshness
    if cnpj == ABSENT:
        raise CompanyNotFound(confirmed=True, data_base=None)
    stale = cnpj == _STALE
    age = _STALE_AGE if stale else 0
    if cnpj == UNAVAILABLE or (freshness.max_age is not None and age > freshness.max_age):
        raise SourcesUnavailable(_RETRY_AFTER, nothing_failed=True)
    answer = Answer(_texts()[cnpj], now - age, now, stale=stale)
    if freshness.max_data_age is not None and not freshness.allows_data_of(answer.record.data_base, now):
        raise SourcesUnavailable(_RETRY_AFTER, nothing_failed=True)
    return answer


@cache
def sandbox_records() -> tuple[dict[str, Any], ...]:
    """Return the records, in the order of their numbers."""
    return tuple(json.loads(Path(__file__).with_name("sandbox.json").read_text(encoding="utf-8")))


@cache
def _texts() -> dict[str, str]:
    """Return the records as JSON, by number, as the model writes them (which a test compares)."""
    return {
        record["cnpj"]: json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        for record in sandbox_records()
    }
