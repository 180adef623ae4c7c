"""Code that is not ours, run so that a call ends in time and is counted right, whatever that code does.

It works in a thread of its own, since Python can end no thread: whoever waits for it gives up after the
skill's own limit, and what goes on is left to itself. Its result is thrown away; its place stays taken until
it ends, so that work which never ends is bounded, and costs its own skill alone.
"""

import json
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from threading import BoundedSemaphore, Thread
from typing import Any, TypeVar

from pydantic import TypeAdapter

from brskills_server.skills.errors import ApiError
from brskills_server.skills.plain_errors import LATE_SECONDS, sanitize_error
from brskills_server.skills.skill import Call, Skill, never
from brskills_server.skills.validation import check_request

__all__ = ["MAX_ANSWER_BYTES", "PLACES", "guarded"]

PLACES = 16
"""Work of one custom skill that may go on at once in one process, what nobody waits for any more included."""

MAX_ANSWER_BYTES = 256 * 1024
"""Of an answer as JSON: what a batch of ours may be."""

_NOTHING: Any = None

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A checked request, whether it costs a call, and how many of the skill's ``seconds`` are left."""

    value: Any
    counts: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer as JSON that was read back by its model."""

    text: str


def guarded(skill: Skill) -> Skill:
    """The same skill for ``perform``: what is the package's runs in bounds, and what leaves is checked."""
    bounds = _Bounds(skill)
    return replace(
        skill,
        prepare=bounds.prepare,
        counts=never if skill.is_free else lambda prepared: prepared.counts,
        answer=bounds.answer,
        write=lambda answer: answer.text,
        content=lambda answer: json.loads(answer.text),
        errors=("sources_unavailable",),
    )


class _Bounds:
    """The places of one skill, and what it may do in them."""

    def __init__(self, skill: Skill) -> None:
        self._skill = skill
        self._result = TypeAdapter(skill.result_model)
        self._seconds = float(skill.seconds or 0)
        self._places = BoundedSemaphore(PLACES)

    def prepare(self, content: dict[str, Any]) -> _Prepared:
        """The request checked by the skill; raises as :meth:`_run` does."""
        skill, started = self._skill, time.monotonic()

        def work() -> _Prepared:
            value = skill.prepare(content) if skill.prepare else check_request(skill.request_model, content)
            counts = bool(skill.counts(value))
            return _Prepared(value, counts, max(0.0, started + self._seconds - time.monotonic()))

        return self._run(work, self._seconds)

    def answer(self, prepared: _Prepared, call: Call) -> _Answer:
        """The skill's answer, held against its result model; raises as :meth:`_run` does."""
        # Counting is not its business, nor are other callers' accounts or what look-ups cost us.
        seen = Call(_NOTHING, call.language, _NOTHING)
        return self._run(lambda: self._checked(self._skill.answer(prepared.value, seen)), prepared.seconds)

    def _checked(self, found: Any) -> _Answer:
        if not isinstance(found, self._skill.result_model):
            raise TypeError
        # As the declared model has it: what a subclass adds is not for callers.
        written = self._result.dump_json(found, by_alias=True, warnings="error")
        if len(written) > MAX_ANSWER_BYTES:
            raise OverflowError
        self._result.validate_json(written)
        json.loads(written, parse_constant=_refuse)  # pydantic reads NaN, which is not JSON
        return _Answer(written.decode())

    def _run(self, work: Callable[[], T], seconds: float) -> T:
        """What ``work`` gives within ``seconds``; raises ``ApiError`` or ``SkillFailed`` and no other."""
        if not self._places.acquire(blocking=False):
            raise ApiError("throttled", retry_after=1)
        done: Future[T] = Future()

        def run_in_slot() -> None:
            # The place is free before the caller goes on, who may need one at once.
            try:
                found = work()
            except BaseException as error:  # also SystemExit: a package does not end the service
                failure = sanitize_error(error, self._skill.name)
                self._places.release()
                done.set_exception(failure)
            else:
                self._places.release()
                done.set_result(found)

        try:
            # A thread that is not a daemon would keep a process that is to end.
            Thread(target=run_in_slot, name=self._skill.name, daemon=True).start()
        except RuntimeError:  # no thread is to be had
            self._places.release()
            raise
        try:
            return done.result(timeout=seconds)
        except TimeoutError:
            raise self._late() from None

    def _late(self) -> ApiError:
        told = {"seconds": f"{self._seconds:g}", "retry_after": LATE_SECONDS}
        return ApiError("sources_unavailable", wording=":late", parameters=told, retry_after=LATE_SECONDS)


def _refuse(constant: str) -> None:
    raise ValueError(constant)
