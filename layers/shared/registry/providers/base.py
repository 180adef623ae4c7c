"""What every provider module describes: where to ask, how patiently, and how to read the answer."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from http import HTTPStatus
from typing import Any

from registry.company import Record

__all__ = ["DataDate", "Provider"]


@dataclass(frozen=True, slots=True)
class DataDate:
    """Where a monthly dump tells its date: the path, and how to read the day out of the answer."""

    path: str
    read: Callable[[dict[str, Any]], date | None]


def _by_status(status: int, _: dict[str, Any]) -> bool:
    return status == HTTPStatus.NOT_FOUND


@dataclass(frozen=True, slots=True)
class Provider:
    """One registry provider.

    ``group``: providers that fail together, and whose 404s are one voice, share it.
    ``path``: with ``{cnpj}``, behind the base address. ``timeout``: seconds for the whole answer.
    ``read``: a JSON answer → ``Record``; raises ``ValueError`` for garbage.
    ``denies``: whether a status (200 or 404) and the JSON object with it say "no such company".
    ``per_minute``: free calls a minute, for all our instances together; ``None`` without a limit.
    ``monthly_dump``: it lacks companies younger than its dump.
    """

    id: str
    group: str
    base: str
    path: str
    timeout: float
    read: Callable[[dict[str, Any]], Record]
    denies: Callable[[int, dict[str, Any]], bool] = _by_status
    per_minute: int | None = None
    monthly_dump: bool = False
    data_date: DataDate | None = None
