"""The register's history in DynamoDB: a table of changes, whose steps the item of the month in place lists.

The table has the key ``pk`` (a row's key, "#", and the id of the step) and ``body``, as a month's table;
``expires_at`` is its time to live (epoch seconds).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from datetime import date, timedelta

from brskills_server.adapters.snapshots.dynamodb import DynamoMonths, open_months
from brskills_server.adapters.snapshots.stored import MonthGone
from brskills_server.adapters.stores import StoreSettings
from brskills_server.registry.dates import day_of
from brskills_server.registry.snapshot.history import RegisterHistory, Step, StepRows, steps_to

LIFETIME = timedelta(days=520)
"""Of an item, since the day of its step: longer than steps are kept, for months may come late."""

_MARGIN = timedelta(days=20)  # some of a step's items may be deleted before others
_MOST_STEPS = 50  # their rows are read by one BatchGetItem, which takes 100 keys


def write_steps(steps: Iterable[Step]) -> str:
    """Return steps as text."""
    return json.dumps([[step.id, step.since, f"{step.since_day}", f"{step.day}"] for step in steps])


def read_steps(text: str) -> dict[str, Step]:
    """Return what :func:`write_steps` was given, by id. Raise ``ValueError`` for anything else."""
    days = date.fromisoformat
    return {
        name: Step(name, since, days(since_day), days(day))
        for name, since, since_day, day in json.loads(text)
    }


def key_of(key: str, step: str) -> str:
    """Return the key of a row's change."""
    return f"{key}#{step}"


class DynamoHistory:
    """``RegisterHistory`` in DynamoDB, by a GetItem and a BatchGetItem. ``clock``: epoch seconds."""

    def __init__(self, months: DynamoMonths, clock: Callable[[], float] = time.time) -> None:
        self._months = months
        self._clock = clock

    def rows(self, cnpj: str, snapshot: str) -> list[StepRows]:
        """Read the steps and their rows; those that may have expired are left out."""
        place = self._months.place() or {}
        oldest = day_of(self._clock()) - LIFETIME + _MARGIN
        steps = steps_to(read_steps(place.get("steps", "[]")), snapshot)[:_MOST_STEPS]
        kept = [step for step in steps if step.day >= oldest]
        if not kept:
            return []
        root = cnpj[:8]
        try:
            bodies = self._months.bodies(
                place["changes"], [key_of(key, step.id) for step in kept for key in (root, cnpj)]
            )
        except MonthGone:
            return []
        return [
            StepRows(step, bodies.get(key_of(root, step.id), ""), bodies.get(key_of(cnpj, step.id), ""))
            for step in kept
        ]


def open_history(settings: StoreSettings) -> RegisterHistory:
    """Return the history beside the stores in DynamoDB, without a request yet."""
    return DynamoHistory(open_months(settings))
