"""Bulkhead around a custom skill: its code can neither delay, miscount nor end the service.

The code runs in its own thread, which Python cannot end: after the skill's time limit the result is dropped,
but the thread keeps one of the skill's slots, so work that never ends is bounded and costs this skill alone.
"""

import json
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from threading import BoundedSemaphore, Thread
from typing import Any, NamedTuple, TypeVar

from pydantic import TypeAdapter

from brskills_server.skills.custom_errors import LATE_SECONDS, sanitize_error
from brskills_server.skills.errors import ApiError
from brskills_server.skills.skill import Call, Skill, never
from brskills_server.skills.validation import check_request

SLOTS = 16
"""Calls of one custom skill that may run in one process, those that nobody waits for included."""

MAX_ANSWER_BYTES = 256 * 1024
"""Limit for an answer as JSON: the body of a batch may be as long."""

_NOTHING: Any = None

T = TypeVar("T")


class _Prepared(NamedTuple):
    """Checked request, whether it costs a call, and how many of the skill's ``seconds`` are left."""

    value: Any
    counts: bool
    seconds: float


def with_bulkhead(skill: Skill) -> Skill:
    """Return the skill for ``perform``, with the package's code bounded and its answers checked."""
    bulkhead = _Bulkhead(skill)
    return replace(
        skill,
        prepare=bulkhead.prepare,
        counts=never if skill.is_free else lambda prepared: prepared.counts,
        answer=bulkhead.answer,
        write=str,
        content=json.loads,
        errors=("sources_unavailable",),
    )


class _Bulkhead:
    def __init__(self, skill: Skill) -> None:
        self._skill = skill
        self._result = TypeAdapter(skill.result_model)
        self._seconds = float(skill.seconds or 0)
        self._slots = BoundedSemaphore(SLOTS)

    def prepare(self, content: dict[str, Any]) -> _Prepared:
        """Return the request checked by the skill. Raise as ``_run_in_slot``."""
        skill, started = self._skill, time.monotonic()

        def work() -> _Prepared:
            value = skill.prepare(content) if skill.prepare else check_request(skill.request_model, content)
            counts = bool(skill.counts(value))
            return _Prepared(value, counts, max(0.0, started + self._seconds - time.monotonic()))

        return self._run_in_slot(work, self._seconds)

    def answer(self, prepared: _Prepared, call: Call) -> str:
        """Return the skill's answer as JSON, checked by its result model. Raise as ``_run_in_slot``."""
        # A package may neither count calls nor read other accounts nor look companies up.
        visible = Call(_NOTHING, call.language, _NOTHING)
        return self._run_in_slot(
            lambda: self._checked(self._skill.answer(prepared.value, visible)), prepared.seconds
        )

    def _checked(self, found: Any) -> str:
        if not isinstance(found, self._skill.result_model):
            raise TypeError
        # Written by the declared model: callers do not get what a subclass adds.
        written = self._result.dump_json(found, by_alias=True, warnings="error")
        if len(written) > MAX_ANSWER_BYTES:
            raise OverflowError
        self._result.validate_json(written)
        json.loads(written, parse_constant=_refuse)  # pydantic reads NaN, which is not JSON
        return written.decode()

    def _run_in_slot(self, work: Callable[[], T], seconds: float) -> T:
        """Return the result of ``work`` within ``seconds``. Raise ``ApiError`` or ``SkillFailed`` only."""
        if not self._slots.acquire(blocking=False):
            raise ApiError("throttled", retry_after=1)
        done: Future[T] = Future()

        def run() -> None:
            # The slot is released before the caller continues, who may need one at once.
            try:
                found = work()
            except BaseException as error:  # also SystemExit: a package must not end the service
                failure = sanitize_error(error, self._skill.name)
                self._slots.release()
                done.set_exception(failure)
            else:
                self._slots.release()
                done.set_result(found)

        try:
            # A daemon: any other thread would keep a stopping process alive.
            Thread(target=run, name=self._skill.name, daemon=True).start()
        except RuntimeError:  # the system allows no further thread
            self._slots.release()
            raise
        try:
            return done.result(timeout=seconds)
        except TimeoutError:
            raise self._timed_out() from None

    def _timed_out(self) -> ApiError:
        parameters = {"seconds": f"{self._seconds:g}", "retry_after": LATE_SECONDS}
        return ApiError(
            "sources_unavailable", wording=":late", parameters=parameters, retry_after=LATE_SECONDS
        )


def _refuse(constant: str) -> None:
    raise ValueError(constant)
