"""Look-ups and attempts at providers, told to ``telemetry``: for who looks companies up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from brskills_server import telemetry
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.sandbox import is_sandbox
from brskills_server.telemetry import figures

if TYPE_CHECKING:
    from brskills_server.registry.answer import Answer

__all__ = ["look_up_observed", "observe_attempt", "tell_of_look_up"]


def observe_attempt(provider: str, outcome: str, seconds: float | None) -> None:
    """Tell what came of asking a provider; ``seconds`` is ``None`` where it was not asked."""
    telemetry.count(figures.PROVIDERS, provider, outcome)
    if seconds is not None:
        telemetry.observe(figures.PROVIDER_SECONDS, seconds, provider, outcome)


def look_up_observed(look_up: Callable[[], Answer], cnpj: str) -> Answer:
    """What ``look_up`` finds of a canonical number; what served it is told, and how old it was."""
    try:
        answer = look_up()
    except Exception as error:
        tell_of_look_up(error, cnpj)
        raise
    tell_of_look_up(answer, cnpj)
    return answer


def tell_of_look_up(outcome: Answer | Exception, cnpj: str) -> None:
    """Tell what came of looking a canonical number up."""
    match outcome:
        case CompanyNotFound():
            served = "absent" if outcome.confirmed else "unconfirmed"
        case SourcesUnavailable():
            served = "unmet" if outcome.nothing_failed else "unavailable"
        case Exception():
            served = "failed"
        case answer:
            served = "live" if answer.live else "stale" if answer.stale else "stored"
            if not is_sandbox(cnpj):
                telemetry.observe(figures.COMPANY_AGE, answer.age, served)
    telemetry.count(figures.COMPANIES, "sandbox" if is_sandbox(cnpj) else served)
