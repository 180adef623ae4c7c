"""The port of the register's history, and what it says of a company, from snapshot to snapshot."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain, groupby
from typing import Any, NamedTuple, Protocol

from brskills_server.registry.snapshot.changes import FIELDS, GONE, NEW, read_changes
from brskills_server.registry.snapshot.field_change import FieldChange, compose, render
from brskills_server.registry.snapshot.rows import Edition

MONTHS_KEPT = 13
"""How many months before the snapshot in place the history goes back."""


class Step(NamedTuple):
    """The log of one snapshot: what differs from the one it was compared with. Both have an id and a day."""

    id: str
    since: str
    since_day: date
    day: date

    @classmethod
    def of(cls, facts: Mapping[str, str]) -> Step:
        """Return the step by the facts of a snapshot's edition. Raise ``KeyError`` and ``ValueError``."""
        since_day, day = (date.fromisoformat(facts[name]) for name in ("since_day", "day"))
        return cls(facts["id"], facts["since"], since_day, day)


class StepRows(NamedTuple):
    """A step with its rows of a company and of an establishment (see ``changes``), empty without one."""

    step: Step
    company: str
    establishment: str


class RegisterHistory(Protocol):
    """The steps that led to a snapshot. Called from many threads, blocks for a second at most."""

    def rows(self, cnpj: str, snapshot: str) -> list[StepRows]:
        """Return the steps to the snapshot of this id, newest first, as far back as they are known.

        Raise ``StoreFault``, and ``ValueError`` where what is stored is damaged.
        """

    def steps(self, snapshot: str) -> list[Step]:
        """Return the steps to the snapshot of this id without their rows. Raise as ``rows``."""

    def rows_of(self, step: Step, keys: Collection[str]) -> dict[str, str]:
        """Return those rows of a step that have one of at most a thousand keys: roots and numbers.

        Raise as ``rows``, and ``StoreFault`` where the step is not known any more.
        """


def steps_to(steps: Mapping[str, Step], snapshot: str) -> list[Step]:
    """Return the steps that led to a snapshot, newest first; each once, whatever is stored."""
    found: dict[str, Step] = {}
    while snapshot in steps and snapshot not in found:
        found[snapshot] = steps[snapshot]
        snapshot = steps[snapshot].since
    return list(found.values())


def oldest_kept(day: date) -> date:
    """Return the day from which on steps are kept, where ``day`` is that of the snapshot in place."""
    months = day.year * 12 + day.month - 1 - MONTHS_KEPT
    return date(months // 12, months % 12 + 1, 1)


def history_of(cnpj: str, edition: Edition, rows: Sequence[StepRows]) -> dict[str, Any]:
    """Return the history of a company as data; ``rows``: as ``RegisterHistory`` returns them.

    Raise ``ValueError`` for malformed rows.
    """
    changes = [change for _, of_day in changes_by_day(edition, rows) for change in of_day]
    since = rows[-1].step.since_day if rows else edition.day
    return {
        "cnpj": cnpj,
        "desde": since.isoformat(),
        "data_base": edition.day.isoformat(),
        "mudancas": changes,
    }


def changes_by_day(edition: Edition, rows: Sequence[StepRows]) -> Iterator[tuple[Step, list[dict[str, Any]]]]:
    """Yield the last step of each day, and what its steps say of a company that a snapshot has, as data.

    ``rows``, and so the days, begin with the newest. Raise ``ValueError`` for malformed rows.
    """
    for steps in _days_with_it(rows):
        step = steps[-1].step
        changes = _changes_of_day(edition, steps)
        yield step, [{"data_base": step.day.isoformat(), **change._asdict()} for change in changes]


def _days_with_it(rows: Sequence[StepRows]) -> Iterator[list[StepRows]]:
    """Yield the steps by their day, which may be that of several, without those of no snapshot that has it.

    ``rows``, and so the days, begin with the newest; the steps of a day begin with the oldest.
    """
    is_there = next((row.establishment for row in rows if _is_mark(row.establishment)), NEW) == NEW
    for _, of_day in groupby(rows, key=lambda row: row.step.day):
        steps = list(of_day)[::-1]
        mark = next((row.establishment for row in steps if _is_mark(row.establishment)), "")
        if mark or is_there:
            yield steps
        is_there = mark == GONE if mark else is_there


def _changes_of_day(edition: Edition, steps: list[StepRows]) -> list[FieldChange]:
    """Return what the steps of one day say together: a month may be built more than once.

    ``registro`` is the only one then: what else changed is not known from the day before.
    """
    marks = [row.establishment for row in steps if _is_mark(row.establishment)]
    if marks:
        was_there, is_there = marks[0] == GONE, marks[-1] == NEW
        mark = FieldChange("registro", None, "novo" if is_there else "ausente")
        return [] if was_there == is_there else [mark]
    bodies = filter(None, chain.from_iterable((row.company, row.establishment) for row in steps))
    found = [render(edition, change) for body in bodies for change in read_changes(body)]
    by_field = ([change for change in found if change.campo == name] for name in FIELDS)
    composed = (compose(changes) for changes in by_field if changes)
    return [change for change in composed if change]


def _is_mark(body: str) -> bool:
    return body in {NEW, GONE}
