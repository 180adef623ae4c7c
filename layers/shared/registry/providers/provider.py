"""What every provider module describes: where to ask, how long to wait, how to read the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from registry.company import Record

__all__ = ["DumpDate", "Provider"]


class DumpDate(NamedTuple):
    """Where a provider tells the day of its monthly dump: the path, and the field of the answer."""

    path: str
    field: str


def _is_404(status: int, _: dict[str, Any]) -> bool:
    return status == HTTPStatus.NOT_FOUND


@dataclass(frozen=True, slots=True)
class Provider:
    """One registry provider.

    ``group``: shared by providers that fail together and have the same data.
    ``path``: with ``{cnpj}``, behind ``base_url``. ``timeout``: seconds for the whole answer.
    ``read``: a JSON answer → ``Record``; raises ``ValueError`` for an invalid one.
    ``says_missing``: whether a status (200 or 404) and the JSON object with it say "no such company".
    ``per_minute``: calls allowed in a minute, for all our instances together; ``None`` without a limit.
    ``monthly_dump``: it lacks companies younger than its dump.
    """

    id: str
    group: str
    base_url: str
    path: str
    timeout: float
    read: Callable[[dict[str, Any]], Record]
    says_missing: Callable[[int, dict[str, Any]], bool] = _is_404
    per_minute: int | None = None
    monthly_dump: bool = False
    dump_date: DumpDate | None = None
