"""Rules that a run is checked by, each in a column of the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from lab.agents.arguments import normalised
from lab.agents.conversation import Called, Run
from lab.agents.text import dates, says

Column = Literal["tools", "arguments", "source and date", "answer"]
_MORE_CALLS = 2


class Rule(NamedTuple):
    """A condition of a run; ``name`` says what is wrong where it does not hold."""

    column: Column
    name: str
    holds: Callable[[Run], bool]


class Phrase(NamedTuple):
    """What an answer must have in one of several forms, or, where ``said`` is false, in none of them."""

    name: str
    forms: tuple[str, ...]
    column: Column = "answer"
    said: bool = True

    def holds(self, run: Run) -> bool:
        """Return whether an answer fits; one that is empty never does."""
        return bool(run.answer) and self.said == any(says(run.answer, form) for form in self.forms)


class Quote(NamedTuple):
    """A member of a result that an answer must have, letter for letter."""

    member: str

    def holds(self, run: Run) -> bool:
        """Return whether the answer has it, as one of the calls gave it."""
        quoted = [str(call.data[self.member]) for call in run.calls if call.data.get(self.member)]
        return any(text in run.answer for text in quoted)


class Step(NamedTuple):
    """A call that a right run makes.

    ``arguments``: by field, the values that are right, any one of them. ``optional``: further fields that do
    no harm.
    """

    tool: str
    arguments: Mapping[str, tuple[Any, ...]] = {}
    optional: frozenset[str] = frozenset()


def mentions(name: str, *forms: str) -> Phrase:
    """Return the rule that an answer has one of these forms."""
    return Phrase(f"does not say {name}", forms)


def avoids(name: str, *forms: str) -> Phrase:
    """Return the rule that an answer has none of these forms."""
    return Phrase(f"says {name}", forms, said=False)


def sourced(day: str) -> tuple[Phrase, Phrase]:
    """Return the rules that an answer names the register and the day of its data."""
    source = Phrase("does not name the source", ("receita", "cadastro nacional", "cadastro federal"))
    date = Phrase("does not say the date of the data", dates(day))
    return source._replace(column="source and date"), date._replace(column="source and date")


def rules_of_calls(steps: tuple[Step, ...], allowed: frozenset[str]) -> list[Rule]:
    """Return the rules of the calls: those of the steps in their order, and no others but ``allowed``."""
    wanted = [step.tool for step in steps]
    rules = [
        Rule("tools", f"does not call {' then '.join(wanted[:end])}", _in_order(wanted[:end]))
        for end in range(1, len(wanted) + 1)
    ]
    rules.append(Rule("tools", "calls another tool", lambda run: _tools(run) <= {*wanted, *allowed}))
    most = len(steps) + _MORE_CALLS
    rules.append(Rule("tools", "calls too often", lambda run: len(run.calls) <= most))
    return rules + [rule for step in steps for rule in _rules_of_arguments(step)]


def _in_order(wanted: list[str]) -> Callable[[Run], bool]:
    def holds(run: Run) -> bool:
        made = iter(call.tool for call in run.calls)
        return all(tool in made for tool in wanted)

    return holds


def _tools(run: Run) -> set[str]:
    return {call.tool for call in run.calls}


def _rules_of_arguments(step: Step) -> list[Rule]:
    def of_last(holds: Callable[[Called], bool]) -> Callable[[Run], bool]:
        """Check the last call of the tool: one that was refused may be corrected."""
        return lambda run: any(
            holds(call) for call in [each for each in run.calls if each.tool == step.tool][-1:]
        )

    def has(field: str, right: tuple[Any, ...]) -> Callable[[Called], bool]:
        values = {normalised(field, value) for value in right}
        return lambda call: normalised(field, call.arguments.get(field)) in values

    known = {*step.arguments, *step.optional}
    named = [
        Rule("arguments", f"{step.tool}: {field} is wrong", of_last(has(field, right)))
        for field, right in step.arguments.items()
    ]

    def is_known(call: Called) -> bool:
        return all(name in known for name, value in call.arguments.items() if value is not None)

    return [*named, Rule("arguments", f"{step.tool}: has other arguments", of_last(is_known))]
