"""The places that a traceback names, for logs: without the exception's message, which may quote a caller."""

import traceback
from pathlib import PurePath
from types import FrameType, TracebackType

_OUTERMOST, _INNERMOST = 10, 20
"""Calls that are named: an endless recursion has a thousand."""


def places_of(trace: TracebackType | None) -> list[str]:
    """Return the calls of a traceback as ``file:line function``, outermost first; of many, not all."""
    steps = list(traceback.walk_tb(trace))
    left_out = len(steps) - _OUTERMOST - _INNERMOST
    if left_out <= 0:
        return [_place(*step) for step in steps]
    outer, inner = steps[:_OUTERMOST], steps[-_INNERMOST:]
    return [*(_place(*step) for step in outer), f"… {left_out} more", *(_place(*step) for step in inner)]


def _place(frame: FrameType, line: int) -> str:
    code = frame.f_code
    return f"{PurePath(code.co_filename).name}:{line} {code.co_name}"
