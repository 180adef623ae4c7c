"""BrasilAPI: Minha Receita behind an edge cache, so one group with it and the same answers.

https://brasilapi.com.br/docs#tag/CNPJ — no key; its limits are unpublished and do bite. It tells no
date of its data. An upstream page arrives as a JSON *string* with status 200.
"""

from typing import Any

from registry.company import Record
from registry.providers.base import Provider
from registry.providers.minhareceita import GROUP, read_dump

__all__ = ["PROVIDER"]


def _read(answer: dict[str, Any]) -> Record:
    return read_dump(answer, "brasilapi")


PROVIDER = Provider(
    id="brasilapi",
    group=GROUP,
    base="https://brasilapi.com.br",
    path="/api/cnpj/v1/{cnpj}",
    timeout=5.0,
    read=_read,
    monthly_dump=True,
)
