"""The register's history in DynamoDB: a table of changes, whose steps the item of the month in place lists.

The table has the key ``pk`` (a row's key, "#", and the id of the step) and ``body``, as a month's table;
``expires_at`` is its time to live (epoch seconds).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, timedelta
from itertools import takewhile
from typing import Any

from brskills_server.adapters.snapshots.dynamodb import IN_PLACE, DynamoMonths, open_months
from brskills_server.adapters.snapshots.stored import MonthGone
from brskills_server.adapters.stores import StoreSettings
from brskills_server.registry.dates import day_of
from brskills_server.registry.snapshot.history import RegisterHistory, Step, StepRows, steps_to
from brskills_server.registry.store import StoreFault

LIFETIME = timedelta(days=520)
"""Of an item, since the day of its step: longer than steps are kept, for months may come late."""

_MARGIN = timedelta(days=20)  # some of a step's items may be deleted before others
_MOST_STEPS = 50  # of which one BatchGetItem reads the rows of a company and of an establishment


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
    """``RegisterHistory`` in DynamoDB; a GetItem of the month's item is first. ``clock``: epoch seconds."""

    def __init__(self, months: DynamoMonths, clock: Callable[[], float] = time.time) -> None:
        self._months = months
        self._clock = clock

    def rows(self, cnpj: str, snapshot: str) -> list[StepRows]:
        """Read the steps and their rows; those that may have expired are left out."""
        place = self._months.place() or {}
        kept = self._kept(place, snapshot)[:_MOST_STEPS]
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

    def steps(self, snapshot: str) -> list[Step]:
        """Read the steps, by a GetItem."""
        return self._kept(self._months.place() or {}, snapshot)

    def rows_of(self, step: Step, keys: Collection[str]) -> dict[str, str]:
        """Read the rows, by a GetItem and a BatchGetItem for each hundred keys."""
        place = self._months.place() or {}
        if step.id not in read_steps(place.get("steps", "[]")):
            raise StoreFault(f"the item {IN_PLACE} does not list the step {step.id}")
        stored = [key_of(key, step.id) for key in keys]
        bodies = self._months.bodies(place["changes"], stored)
        return {key: bodies[name] for key, name in zip(keys, stored, strict=True) if name in bodies}

    def _kept(self, place: Mapping[str, Any], snapshot: str) -> list[Step]:
        """Return the steps to a snapshot whose rows cannot have expired, newest first."""
        oldest = day_of(self._clock()) - LIFETIME + _MARGIN
        steps = steps_to(read_steps(place.get("steps", "[]")), snapshot)
        return list(takewhile(lambda step: step.day >= oldest, steps))


def open_history(settings: StoreSettings) -> RegisterHistory:
    """Return the history beside the stores in DynamoDB, without a request yet."""
    return DynamoHistory(open_months(settings))
