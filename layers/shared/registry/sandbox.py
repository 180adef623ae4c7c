"""Sandbox companies: six numbers that answer the same everywhere, without network and store.

Their check digits are right, and no real number begins like them (the registry deals out no "O").
"""

import json
from functools import cache
from pathlib import Path

from registry.answer import Answer
from registry.errors import CompanyNotFound, SourcesUnavailable

__all__ = ["SANDBOX_NUMBERS", "answer", "is_sandbox"]

_ABSENT, _UNAVAILABLE, _STALE = "SANDBOX4000103", "SANDBOX5000158", "SANDBOX6000100"
SANDBOX_NUMBERS = frozenset(
    {"SANDBOX1000170", "SANDBOX2000114", "SANDBOX3000169", _ABSENT, _UNAVAILABLE, _STALE}
)
_STALE_AGE = 30 * 86_400
_RETRY_AFTER = 30


def is_sandbox(cnpj: str) -> bool:
    """Whether a canonical number is one of the sandbox."""
    return cnpj in SANDBOX_NUMBERS


def answer(cnpj: str, max_age: int | None, now: int) -> Answer:
    """What the sandbox answers, as a look-up would; raises what a look-up would."""
    if cnpj == _ABSENT:
        raise CompanyNotFound(confirmed=True, data_base=None, sandbox=True)
    stale = cnpj == _STALE
    age = _STALE_AGE if stale else 0
    if cnpj == _UNAVAILABLE or (max_age is not None and age > max_age):
        raise SourcesUnavailable(_RETRY_AFTER, sandbox=True)
    return Answer(_records()[cnpj], now - age, now, stale=stale, sandbox=True)


@cache
def _records() -> dict[str, str]:
    text = Path(__file__).with_name("sandbox.json").read_text(encoding="utf-8")
    return {
        record["cnpj"]: json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        for record in json.loads(text)
    }
