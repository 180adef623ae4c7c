"""Calling a skill: check the request, count it, answer it, and set its outcome."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.session import Session
from brskills_server.skills.errors import ApiError, InvalidRequest, classify
from brskills_server.skills.issues import FieldIssue, issue
from brskills_server.skills.skill import Call, Skill, always, never

IDEMPOTENCY_HEADER = "Idempotency-Key"
_KEY_FORM = re.compile(r"[\x21-\x7e]{1,255}")

Presented = TypeVar("Presented")


def perform(
    skill: Skill, content: dict[str, Any], call: Call, present: Callable[[Any], Presented]
) -> Presented:
    """Answer a request, ``present`` the answer in the form that is sent, and set ``call.outcome``.

    ``call.outcome.part`` is set before; without a part no allowance is checked.

    Raise ``ApiError``, ``InvalidKey``, ``QuotaExceeded``, ``UncountedLimit`` or ``StoreUnavailable``; nothing
    is counted then, except for a refusal that counts and for a store that fails while a call is released.
    """
    session = call.session
    try:
        answer, presented = _perform(skill, content, call, present)
    except BaseException as error:
        plan = error.quota.plan if isinstance(error, QuotaExceeded) else session.plan
        call.outcome.set_items(skill.name, plan, _items(classify(error), session))
        raise
    items = [*skill.outcomes(answer)] if skill.outcomes else _items("answered", session)
    call.outcome.set_items(skill.name, session.plan, items)
    return presented


def _perform(
    skill: Skill, content: dict[str, Any], call: Call, present: Callable[[Any], Presented]
) -> tuple[Any, Presented]:
    session, is_free, has_allowance = call.session, skill.counts is never, bool(call.outcome.part)
    if has_allowance and is_free:  # of others it is not known yet whether they will be counted
        session.allowance.check(session.caller)
    prepared = prepare(skill, content, None if is_free else call.repeat_key)
    if calls := 1 if skill.counts is always else int(skill.counts(prepared)):  # to stores, True is not 1
        if call.repeat_key is not None:
            session.identify(call.repeat_key, fingerprint(skill.name, content))
        session.reserve(calls, partial=bool(skill.partial and skill.partial(prepared)))
    elif has_allowance:  # before the answer is written, which is most of its work
        session.allowance.check(session.caller)
    try:
        answer = skill.answer(prepared, call)
        presented = present(answer)
        session.settle()  # last: an answer that was sent is not taken back
    except ApiError as refusal:
        _conclude(refusal, session)
        raise
    except BaseException:
        session.release()
        raise
    return answer, presented


def prepare(skill: Skill, content: dict[str, Any], repeat_key: str | None) -> Any:
    """Return the prepared request. Raise ``InvalidRequest`` with the issues of its key and of its content."""
    issues = () if repeat_key is None else key_issues(repeat_key)
    try:
        prepared = skill.prepare(content) if skill.prepare else _check(skill, content)
    except InvalidRequest as invalid:
        raise InvalidRequest(*issues, *invalid.fields, unlisted=invalid.unlisted) from None
    if issues:
        raise InvalidRequest(*issues)
    return prepared


def _check(skill: Skill, content: dict[str, Any]) -> Any:
    # Imports pydantic, a third of a cold start, which skills that check by a table do without.
    from brskills_server.skills.validation import check_request

    return check_request(skill.request_model, content)


def _items(outcome: str, session: Session) -> Sequence[str]:
    """Return the one item of a single call: an answer is ``counted`` or ``free``."""
    if outcome == "answered":
        outcome = "free" if session.quota is None or session.replayed else "counted"
    return (outcome,)


def _conclude(refusal: ApiError, session: Session) -> None:
    """Release the call, or keep it counted where the refusal answers what was asked."""
    if refusal.counts:
        session.settle()
        refusal.quota, refusal.replayed = session.quota, session.replayed
    else:
        session.release()


def key_issues(key: str | None) -> tuple[FieldIssue, ...]:
    """Return what is wrong with a key; nothing is wrong with no key, but with an empty one."""
    if key is None or _KEY_FORM.fullmatch(key):
        return ()
    return (issue(IDEMPOTENCY_HEADER, "invalid_form", expected="[!-~]{1,255}"),)


def fingerprint(skill: str, content: dict[str, Any]) -> bytes:
    """Return equal bytes for equal requests to a skill, whatever the order of their fields.

    Raise ``ApiError`` ``malformed_json`` for an item of a batch that is nested too deeply to be written: the
    writer has less of the stack left than the reader had.

    >>> fingerprint("pix", {"a": 1, "b": None}) == fingerprint("pix", {"b": None, "a": 1})
    True
    """
    # The number 1.50 differs from the text "1.50".
    try:
        return json.dumps([skill, content], sort_keys=True, default=repr).encode()
    except RecursionError:
        raise ApiError("malformed_json", parameters={"reason": "…[[[[…"}) from None
