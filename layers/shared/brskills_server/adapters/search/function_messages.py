"""Searches and what they find as JSON, between DynamoDB's search and the function that has the index."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from brskills_server.adapters.search.finding import Found
from brskills_server.registry.search.criteria import Criteria

TOO_MUCH_WORK = "too_much_work"
"""The answer in place of a ``TooMuchWork``."""

_DAYS = {"opened_from", "opened_to"}


def write_criteria(criteria: Criteria) -> dict[str, Any]:
    """Return the fields that are not empty."""
    fields = asdict(criteria).items()
    return {name: f"{value}" if name in _DAYS else value for name, value in fields if value not in ((), None)}


def read_criteria(fields: Mapping[str, Any]) -> Criteria:
    """Return what :func:`write_criteria` was given."""
    given: dict[str, Any] = {
        name: date.fromisoformat(value) if name in _DAYS else _tuples(value) for name, value in fields.items()
    }
    return Criteria(**given)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def read_found(fields: Any) -> Found:
    """Return what a ``Found`` was before it was JSON. Raise ``ValueError`` for anything else."""
    match fields:
        case [[*numbers], int(total), bool(is_exact), bool(more)]:
            return Found(numbers, total, is_exact, more)
    raise ValueError("not a page of numbers")
