"""Batches: many requests in one, each answered and counted as it would be alone, in one write.

If the month's quota is too small for all items, the batch is refused, or, if the caller asks for it, the
first ones that fit are answered.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from brskills_server.metering.errors import QuotaExceeded
from brskills_server.skills.answer_size import is_too_large
from brskills_server.skills.batch_answer import BatchAnswer, write_entries
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.issues import FieldIssue, issue, wrong_type
from brskills_server.skills.shape import Shape, check_shape
from brskills_server.skills.skill import Call, Skill
from brskills_server.skills.turns import LONG, each_in_turns

MAX_ITEMS = 100
FEW_ITEMS = 10
"""The most of a batch that is a tool: more answers would fill a model's context."""

_BODY_BYTES = 256 * 1024

PARTIAL = (
    "Se a cota do mês não basta para todos: responde aos primeiros que couberem (os outros recebem 429) em "
    "vez de recusar o lote."
)


class Item(NamedTuple):
    """Checked request, or its error. Items with the same ``key`` share one answer, which costs one call."""

    prepared: Any = None
    key: Any = None
    error: InvalidRequest | None = None
    counts: bool = False


class Batch(NamedTuple):
    """Items in the request's order. ``calls``: what they cost if all are answered."""

    items: Sequence[Item]
    calls: int
    partial: bool


def batch_skill(
    single: Skill,
    field: str,
    answer: Callable[[list[Any], Call], Sequence[Any]],
    member: str = "",
    shared: Mapping[str, Shape] | None = None,
    most: int = MAX_ITEMS,
    **declaration: Any,
) -> Skill:
    """Return a skill that answers the list in ``field`` by the skill of a single request.

    ``answer``: prepared requests → an answer or an exception for each. ``member``: the field that each item
    is in a single request, where equal requests are one call; an item is a whole request without it.
    ``shared``: fields that apply to all items. ``most``: items. ``declaration``: the rest of the skill's.
    """
    shapes = {field: Shape(object, required=True), **(shared or {}), "parcial": Shape(bool)}
    batches = _Batches(single, field, answer, member, tuple(shared or ()), shapes, most)
    return Skill(
        scope=single.scope,
        shapes=shapes,
        prepare=batches.prepare,
        answer=batches.answer,
        counts=lambda batch: batch.calls,
        partial=lambda batch: batch.partial,
        write=BatchAnswer.json,
        content=lambda answer: dict(json.loads(answer.json())),
        outcomes=BatchAnswer.outcomes,
        body_bytes=_BODY_BYTES,
        uses_external_data=single.uses_external_data,
        is_provable=single.is_provable,
        **declaration,
    )


@dataclass(frozen=True, slots=True)
class _Batches:
    single: Skill
    field: str
    answer_all: Callable[[list[Any], Call], Sequence[Any]]
    member: str
    shared: Sequence[str]
    shapes: Mapping[str, Shape]
    most: int

    def prepare(self, content: dict[str, Any]) -> Batch:
        """Return the items, each checked alone. Raise ``InvalidRequest`` with the issues of the batch."""
        with LONG:
            issues = [*check_shape(self.shapes, content), *_list_issues(content, self.field, self.most)]
        if issues:
            raise InvalidRequest(*issues)
        shared = {name: content[name] for name in self.shared if name in content}
        items = each_in_turns(lambda placed: self._check(*placed, shared), [*enumerate(content[self.field])])
        calls = len({item.key for item in items if item.counts})
        return Batch(items, calls, content.get("parcial") or False)

    def _check(self, place: int, content: Any, shared: dict[str, Any]) -> Item:
        request = {self.member: content, **shared} if self.member else content
        item = check_item(self.single, request)
        return item._replace(key=item.prepared if self.member else place)

    def answer(self, batch: Batch, call: Call) -> BatchAnswer:
        """Answer what the month has room for, and release what turned out to cost nothing."""
        session = call.session
        counted = dict.fromkeys(item.key for item in batch.items if item.counts)
        beyond = list(counted)[session.calls :]
        found: dict[Any, Any] = dict.fromkeys(beyond, _without_room(call)) if beyond else {}
        asked = {item.key: item.prepared for item in batch.items if not item.error and item.key not in found}
        answers = self.answer_all([*asked.values()], call) if asked else []
        found |= zip(asked, answers, strict=True)
        results = [item.error or found[item.key] for item in batch.items]
        with LONG:
            entries = write_entries(self.single, results, call)
        failed = {key for key in asked if _costs_nothing(found[key])}
        session.release(len((failed | _unsent(batch, results)) & counted.keys()))
        session.items = len(batch.items)
        return BatchAnswer(entries, results, session.calls, session.counted_before)


def check_item(skill: Skill, content: Any) -> Item:
    """Check an item by the skill of a single request."""
    assert skill.prepare  # noqa: S101, for mypy: every skill that has a batch prepares
    if not isinstance(content, dict):
        return Item(error=InvalidRequest(wrong_type("", "objeto (object)")))
    try:
        prepared = skill.prepare(content)
    except InvalidRequest as invalid:
        return Item(error=invalid.without_frames())
    return Item(prepared, counts=bool(skill.counts(prepared)))


def _list_issues(content: dict[str, Any], field: str, most: int) -> list[FieldIssue]:
    """Return what is wrong with the list itself."""
    items = content.get(field)
    if items is None:
        return []
    if not isinstance(items, list):
        return [wrong_type(field, "lista (array)")]
    if not 1 <= len(items) <= most:
        return [issue(field, "invalid_length", expected=f"1…{most}")]
    return []


def _without_room(call: Call) -> QuotaExceeded:
    quota = call.session.quota
    assert quota  # noqa: S101, for mypy: a session that reserved has one
    return QuotaExceeded(quota)


def _costs_nothing(result: Any) -> bool:
    """Return whether the call of a result is to be released; an absence has released its own."""
    if isinstance(result, ApiError):
        return not result.counts and result.code != "company_not_found"
    return isinstance(result, Exception)


def _unsent(batch: Batch, results: Sequence[Any]) -> set[Any]:
    """Return the keys whose answer fits at none of their places."""
    placed = [(item.key, is_too_large(result)) for item, result in zip(batch.items, results, strict=True)]
    return {key for key, too_long in placed if too_long} - {key for key, too_long in placed if not too_long}
