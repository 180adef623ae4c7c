"""A task: what a person says, and the rules of a right run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from lab.agents.conversation import Run
from lab.agents.model import Json
from lab.agents.rules import Phrase, Quote, Rule, Step, rules_of_calls

Half = Literal["tuning", "reported"]


@dataclass(frozen=True)
class Task:
    """A task.

    ``half``: texts of tools are improved by the tasks for tuning alone, and reports are of the others.
    ``before``: requests with which the account is prepared, path and body. ``allowed``: tools that may be
    called beside those of the steps. ``phrases``: rules of the answer.
    """

    name: str
    half: Half
    request: str
    steps: tuple[Step, ...] = ()
    phrases: tuple[Phrase | Quote, ...] = ()
    allowed: frozenset[str] = frozenset()
    before: tuple[tuple[str, Json], ...] = ()

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule of the task."""
        return (*rules_of_calls(self.steps, self.allowed), *map(_rule, self.phrases))

    def failures(self, run: Run) -> list[Rule]:
        """Return the rules that do not hold."""
        return [rule for rule in self.rules if not rule.holds(run)]


def _rule(phrase: Phrase | Quote) -> Rule:
    if isinstance(phrase, Quote):
        return Rule("answer", f"does not quote {phrase.member}", phrase.holds)
    return Rule(phrase.column, phrase.name, phrase.holds)
