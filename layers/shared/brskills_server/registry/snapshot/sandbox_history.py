"""The histories of the sandbox companies, invented as these are: the same everywhere, without a copy."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.sandbox import ABSENT, SANDBOX_DAY, UNAVAILABLE

_RETRY_AFTER = 30


def sandbox_history(cnpj: str) -> dict[str, Any]:
    """Return the history of a sandbox number. Raise ``CompanyNotFound`` and ``SourcesUnavailable``."""
    if cnpj == ABSENT:
        raise CompanyNotFound(confirmed=False, data_base=SANDBOX_DAY.isoformat())
    if cnpj == UNAVAILABLE:
        raise SourcesUnavailable(_RETRY_AFTER, nothing_failed=True)
    return _histories()[cnpj]


@cache
def _histories() -> dict[str, dict[str, Any]]:
    found = json.loads(Path(__file__).with_name("sandbox_history.json").read_text(encoding="utf-8"))
    return {history["cnpj"]: history for history in found}
