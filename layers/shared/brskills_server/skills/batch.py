"""Batches: many requests in one, each answered and counted as it would be alone, in one write.

A batch is a ``Skill`` over the skill of a single request. If the month's quota is too small for all items,
the batch is refused, or, if the caller asks for it, the first ones that fit are answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from threading import BoundedSemaphore
from typing import Any, NamedTuple

from brskills_server.metering.errors import QuotaExceeded
from brskills_server.skills.answer_size import MAX_ANSWER_BYTES, sent_bytes, too_large
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import FieldIssue, issue, wrong_type
from brskills_server.skills.outcomes import classify
from brskills_server.skills.skill import Call, Skill

__all__ = [
    "MAX_ITEMS",
    "PARTIAL",
    "Batch",
    "BatchAnswer",
    "Item",
    "Results",
    "answer_of",
    "batch_skill",
    "check_item",
    "list_issues",
    "results_of",
    "without_room",
]

MAX_ITEMS = 100
_BODY_BYTES = 256 * 1024
_SPARE_BYTES = 100_000
"""Part of an answer's limit for what is around the entries, and for the problems of those that do not fit."""

PARTIAL = (
    "Se o mês não chega para todos: responder os primeiros que couberem (os outros são 429) em vez de "
    "recusar o lote."
)

_ONE_AT_A_TIME = BoundedSemaphore(1)
"""In one process one batch at a time is checked or written, so that single calls are not delayed."""


class Item(NamedTuple):
    """Checked request, or its fault; ``counts``: whether it costs a call."""

    prepared: Any = None
    fault: InvalidRequest | None = None
    counts: bool = False


class Batch(NamedTuple):
    """Items in the request's order. ``calls``: what they cost if all are answered."""

    items: Sequence[Item]
    calls: int
    partial: bool


class Results(NamedTuple):
    """An answer or an error for each item, and the JSON entry of each; all entries together fit an answer."""

    outcomes: Sequence[Any]
    entries: Sequence[str]


class BatchAnswer(NamedTuple):
    """Answer of a batch. ``calls``: what it costs; ``before``: how much of it an earlier request counted."""

    results: Results
    calls: int
    before: int

    def json(self) -> str:
        """Return the body of the answer: the entry of each item, and what all of them cost."""
        return f'{{"resultados":[{",".join(self.results.entries)}],"contadas":{self.calls}}}'

    def outcomes(self) -> Iterator[str]:
        """Yield the outcome of each item: as many are ``counted`` as the month's count has grown."""
        counted = max(0, self.calls - self.before)
        for kind in map(classify, self.results.outcomes):
            if kind == "answered":
                yield "counted" if counted > 0 else "free"
                counted -= 1
            else:
                yield kind


def batch_skill(**own: Any) -> Skill:
    """Return a skill that answers a ``Batch`` by a ``BatchAnswer``; ``own``: the rest of its declaration."""
    check = own.pop("prepare")

    def prepare(content: dict[str, Any]) -> Batch:
        with _ONE_AT_A_TIME:
            batch: Batch = check(content)
        return batch

    return Skill(
        prepare=prepare,
        counts=lambda batch: batch.calls,
        partial=lambda batch: batch.partial,
        write=BatchAnswer.json,
        outcomes=BatchAnswer.outcomes,
        body_bytes=_BODY_BYTES,
        **own,
    )


def check_item(skill: Skill, content: Any) -> Item:
    """Check an item by the skill of a single request."""
    assert skill.prepare  # noqa: S101, for mypy: every skill that has a batch prepares
    if not isinstance(content, dict):
        return Item(fault=InvalidRequest(wrong_type("", "objeto (object)")))
    try:
        prepared = skill.prepare(content)
    except InvalidRequest as invalid:
        return Item(fault=invalid.with_traceback(None))  # its frames hold every issue, listed or not
    return Item(prepared, counts=bool(skill.counts(prepared)))


def list_issues(content: dict[str, Any], field: str) -> list[FieldIssue]:
    """Return what is wrong with the list in ``field``; its items are checked one by one, later."""
    items = content.get(field)
    if items is None:
        return []
    if not isinstance(items, list):
        return [wrong_type(field, "lista (array)")]
    if not 1 <= len(items) <= MAX_ITEMS:
        return [issue(field, "invalid_length", expected=f"1…{MAX_ITEMS}")]
    return []


def without_room(call: Call) -> QuotaExceeded:
    """Return the error for an item for which the month has no room."""
    quota = call.session.quota
    assert quota  # noqa: S101, for mypy: a session that reserved has one
    return QuotaExceeded(quota)


def results_of(skill: Skill, outcomes: Sequence[Any], call: Call) -> Results:
    """Write each item's entry; an answer that does not fit beside those before it becomes an error.

    Problems are written first: they are short and never left out.
    """
    outcomes, entries = list(outcomes), [""] * len(outcomes)

    def write_problem(place: int, error: Exception) -> int:
        outcomes[place], entries[place] = error, _problem(place, call.to_problem(error))
        return sent_bytes(entries[place])

    with _ONE_AT_A_TIME:
        errors = [(place, error) for place, error in enumerate(outcomes) if isinstance(error, Exception)]
        room = MAX_ANSWER_BYTES - _SPARE_BYTES - sum(write_problem(*entry) for entry in errors)
        for place in (place for place, entry in enumerate(entries) if not entry):
            entry = f'{{"indice":{place},"status":200,"resposta":{skill.write(outcomes[place])}}}'
            size = sent_bytes(entry)
            if size > room:
                write_problem(place, too_large())
            else:
                entries[place] = entry
                room -= size
    return Results(outcomes, entries)


def answer_of(results: Results, call: Call) -> BatchAnswer:
    """Return the answer to a batch whose calls are finally counted or released."""
    call.session.items = len(results.outcomes)
    return BatchAnswer(results, call.session.calls, call.session.counted_before)


def _problem(place: int, problem: dict[str, Any]) -> str:
    written = json.dumps(problem, ensure_ascii=False, separators=(",", ":"))
    return f'{{"indice":{place},"status":{problem["status"]},"problema":{written}}}'
