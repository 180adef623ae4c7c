"""What every provider module describes: where to ask, how long to wait, and how to read the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from decimal import Decimal

    from brskills_server.registry.providers.reading.fields import FieldMap

__all__ = ["DumpDate", "Paid", "Provider"]


class DumpDate(NamedTuple):
    """Where a provider tells the day of its monthly dump: the path, and the field of the answer."""

    path: str
    field: str


class Paid(NamedTuple):
    """How a paid address is asked: the header with the token, and what follows the path where data of so many
    days is demanded."""

    header: str
    query: Callable[[int], str] = lambda _days: ""


def _is_404(status: int, _: dict[str, Any]) -> bool:
    return status == HTTPStatus.NOT_FOUND


@dataclass(frozen=True, slots=True)
class Provider:
    """One registry provider.

    ``group``: shared by providers that fail together and have the same data.
    ``path``: with ``{cnpj}``, appended to ``base_url``. ``timeout``: seconds for the whole answer.
    ``fields``: where its answer has the fields of the record.
    ``says_missing``: whether a status (200 or 404) and the JSON object with it say "no such company".
    ``per_minute``: calls allowed in a minute, for all our instances together; ``None`` without a limit.
    ``monthly_dump``: it lacks companies younger than its dump.
    ``capital_exact_below``: it may have rounded a capital (reais) of so much or more.
    ``paid``: calls cost money, so it is asked only where fresher data is demanded.
    """

    id: str
    group: str
    base_url: str
    path: str
    timeout: float
    fields: FieldMap
    says_missing: Callable[[int, dict[str, Any]], bool] = _is_404
    per_minute: int | None = None
    monthly_dump: bool = False
    dump_date: DumpDate | None = None
    capital_exact_below: Decimal | None = None
    paid: Paid | None = None

    @property
    def address(self) -> str:
        """What tells a provider's open and its paid address from one another."""
        return f"{self.id}:paid" if self.paid else self.id

    @property
    def breaker(self) -> str:
        """Whose failures open one breaker: the group's; a paid address refuses for reasons of its own."""
        return f"{self.group}:paid" if self.paid else self.group
