"""A provider's recent state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["operational", "degraded", "down", "unknown"]

CONTROL_CNPJ = "00000000000191"
"""The number that controls and probes ask for: the head office of Banco do Brasil, which every source has."""


@dataclass(frozen=True, slots=True)
class ProviderHealth:
    """A provider's recent state. ``last_success`` and ``retry_at`` are ISO instants (UTC)."""

    id: str
    state: State
    breaker: Literal["closed", "open", "half_open"]
    last_success: str | None
    retry_at: str | None
