"""Simulated sources of which one number, or a kind of numbers, has an answer of the attacker's choice."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from tests.simulator import PROVIDERS, Simulator
from tests.simulator.companies import company, numbers
from tests.simulator.dialects import DIALECTS
from tests.simulator.replies import FAULTS, Fault, Reply, truth

__all__ = ["BAD", "LETTERS", "REFUSED", "changed", "play_for", "source_calls"]

BAD, LETTERS = (numbers(root, 1)[0] for root in ("77000000", "77ABC000"))
PARTNERS = 6_000


def changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Fault:
    """The truth about a company after ``change`` of its canonical record."""

    @cache
    def reply(provider: str, cnpj: str) -> Reply:
        return Reply(200, json.dumps(DIALECTS[provider](change(company(cnpj)))).encode())

    return reply


def _crowded(record: dict[str, Any]) -> dict[str, Any]:
    first = record["socios"][0]
    return {**record, "socios": [{**first, "nome": f"SOCIO {n}"} for n in range(PARTNERS)]}


REFUSED: dict[str, tuple[str, Fault]] = {
    "empty name": (BAD, FAULTS["empty-name"]),
    f"{PARTNERS:,} partners": (BAD, changed(_crowded)),
    "HTML on 404, letters": (LETTERS, FAULTS["html-404"]),
}
"""Answers that our own reading refuses, each with the number that has it."""


def play_for(providers: Simulator, number: str, fault: Fault) -> None:
    """Let every source answer so for one number, and truly for all others."""

    def reply(provider: str, cnpj: str) -> Reply:
        return fault(provider, cnpj) if cnpj == number else truth(provider, cnpj)

    for provider in PROVIDERS:
        fault(provider, number)  # a large one is made once, and not while others wait for this process
        providers.play(provider, reply)


def source_calls(providers: Simulator, number: str = "") -> int:
    """Questions for companies, or for one number, that reached the sources."""
    return sum(number in path for _, path in providers.calls if path not in ("/info", "/updated"))
