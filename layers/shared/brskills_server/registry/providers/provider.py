"""A provider: its address, its limits, the fields of its answers, and its recent state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Literal, NamedTuple, Union

Json = dict[str, Any]
Path = str | Callable[[Json], object]
FieldMap = Mapping[str, Union[Path, "FieldMap"]]
"""The shape of the record, with a path in the answer ("address.street") or a function of the answer for each
field that the provider has. ``rows`` leads to the items of a list, in which the other paths begin."""

State = Literal["operational", "degraded", "down", "unknown"]

CONTROL_CNPJ = "00000000000191"
"""The number that controls and probes ask for: the head office of Banco do Brasil, which every source has."""

CONTROLS = (CONTROL_CNPJ, "33000167000101", "00360305000104", "60746948000112")
"""Existing companies, which a source that denies one is asked for in turn: Banco do Brasil, Petrobras, Caixa,
Bradesco."""


class DumpDate(NamedTuple):
    """The resource with the day of a monthly dump: its path, and the field of the answer."""

    path: str
    field: str


class Paid(NamedTuple):
    """The protocol of a paid address: the token's header, and the query string for an age in days."""

    header: str
    query: Callable[[int], str] = lambda _days: ""


def _is_404(status: int, _: Json) -> bool:
    return status == HTTPStatus.NOT_FOUND


@dataclass(frozen=True, slots=True)
class Provider:
    """One registry provider.

    ``group``: shared by providers that fail together and have the same data.
    ``path``: with ``{cnpj}``, appended to ``base_url``. ``timeout``: seconds for the whole answer.
    ``fields``: where its answer has the fields of the record. ``says_missing``: return whether a status (200
    or 404) and its JSON object mean "no such company". ``per_minute``: calls allowed in a minute, for all
    processes together; ``None`` without a limit. ``monthly_dump``: it lacks companies younger than its dump.
    ``capital_exact_below``: it may have rounded a capital (reais) of so much or more. ``paid``: calls cost
    money, so they are made only where fresher data is required. ``passes_on``: whose answers it passes on.
    """

    id: str
    group: str
    base_url: str
    path: str
    timeout: float
    fields: FieldMap
    says_missing: Callable[[int, Json], bool] = _is_404
    per_minute: int | None = None
    monthly_dump: bool = False
    dump_date: DumpDate | None = None
    capital_exact_below: int | None = None
    paid: Paid | None = None
    passes_on: Provider | None = None

    @property
    def dump(self) -> Provider:
        """The provider that knows the day of the data: itself, or the one whose answers it passes on."""
        return self.passes_on or self

    @property
    def address(self) -> str:
        """The identifier of the open or the paid address."""
        return f"{self.id}:paid" if self.paid else self.id

    @property
    def breaker(self) -> str:
        """The circuit breaker: the group's; a paid address, which may reject the account, has another."""
        return f"{self.group}:paid" if self.paid else self.group


@dataclass(frozen=True, slots=True)
class ProviderHealth:
    """A provider's recent state. ``last_success`` and ``retry_at`` are ISO instants (UTC)."""

    id: str
    state: State
    breaker: Literal["closed", "open", "half_open"]
    last_success: str | None
    retry_at: str | None
