"""Metrics of look-ups and of attempts at providers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brskills_server import telemetry
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.sandbox import SANDBOX_NUMBERS
from brskills_server.telemetry import figures

if TYPE_CHECKING:
    from brskills_server.registry.answer import Answer

__all__ = ["observe_attempt", "record_look_up"]


def observe_attempt(provider: str, outcome: str, seconds: float | None) -> None:
    """Record an attempt at a provider; ``seconds`` is ``None`` where it was not called."""
    telemetry.count(figures.PROVIDERS, provider, outcome)
    if seconds is not None:
        telemetry.observe(figures.PROVIDER_SECONDS, seconds, provider, outcome)


def record_look_up(outcome: Answer | Exception, cnpj: str) -> None:
    """Record the outcome of a look-up, and the age of its answer."""
    match outcome:
        case CompanyNotFound():
            served = "absent" if outcome.confirmed else "unconfirmed"
        case SourcesUnavailable():
            served = "unmet" if outcome.nothing_failed else "unavailable"
        case Exception():
            served = "failed"
        case answer:
            served = "live" if answer.live else "stale" if answer.stale else "stored"
            if cnpj not in SANDBOX_NUMBERS:
                telemetry.observe(figures.COMPANY_AGE, answer.age, served)
    telemetry.count(figures.COMPANIES, "sandbox" if cnpj in SANDBOX_NUMBERS else served)
