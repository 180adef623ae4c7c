"""Sandbox companies: six numbers that answer the same everywhere, without network and store.

Their check digits are right, and no real number begins like them (the registry never issues an "O").
"""

import json
from datetime import date
from functools import cache
from pathlib import Path

from brskills_server.registry.answer import Answer
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.freshness import Freshness

__all__ = ["SANDBOX_DAY", "SANDBOX_NUMBERS", "is_sandbox", "sandbox_answer"]

_ABSENT, _UNAVAILABLE, _STALE = "SANDBOX4000103", "SANDBOX5000158", "SANDBOX6000100"
SANDBOX_NUMBERS = frozenset(
    {"SANDBOX1000170", "SANDBOX2000114", "SANDBOX3000169", _ABSENT, _UNAVAILABLE, _STALE}
)
SANDBOX_DAY = date(2026, 10, 15)
"""The day at which the sandbox stands still: what is judged by a day is judged by this one, and stays so."""

_STALE_AGE = 30 * 86_400
_RETRY_AFTER = 30


def is_sandbox(cnpj: str) -> bool:
    """Whether a canonical number is one of the sandbox."""
    return cnpj in SANDBOX_NUMBERS


def sandbox_answer(cnpj: str, demand: Freshness, now: int) -> Answer:
    """What a look-up of a sandbox number gives at ``now`` (epoch seconds); raises what a look-up raises."""
    if cnpj == _ABSENT:
        raise CompanyNotFound(confirmed=True, data_base=None)
    stale = cnpj == _STALE
    age = _STALE_AGE if stale else 0
    if cnpj == _UNAVAILABLE or (demand.max_age is not None and age > demand.max_age):
        raise SourcesUnavailable(_RETRY_AFTER, nothing_failed=True)
    answer = Answer(_texts()[cnpj], now - age, now, stale=stale)
    if demand.max_data_age is not None and not demand.allows_data_of(answer.record.data_base, now):
        raise SourcesUnavailable(_RETRY_AFTER, nothing_failed=True)
    return answer


@cache
def _texts() -> dict[str, str]:
    """The records by number, each as the model would write it: a test holds the file to that."""
    records = json.loads(Path(__file__).with_name("sandbox.json").read_text(encoding="utf-8"))
    return {
        record["cnpj"]: json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in records
    }
