"""Where an exception came from, as a log may tell it: without its message, which may quote a caller."""

import traceback
from pathlib import PurePath
from types import FrameType, TracebackType

__all__ = ["places_of"]

_OUTERMOST, _INNERMOST = 10, 20
"""Calls that are named: a recursion that has no end goes through a thousand."""


def places_of(came_by: TracebackType | None) -> list[str]:
    """Return the calls that led to it, each as ``file:line function``; the outermost first.

    Where there are many, those in the middle are left out.
    """
    steps = list(traceback.walk_tb(came_by))
    left_out = len(steps) - _OUTERMOST - _INNERMOST
    if left_out <= 0:
        return [_place(*step) for step in steps]
    outer, inner = steps[:_OUTERMOST], steps[-_INNERMOST:]
    return [*(_place(*step) for step in outer), f"… {left_out} more", *(_place(*step) for step in inner)]


def _place(frame: FrameType, line: int) -> str:
    code = frame.f_code
    return f"{PurePath(code.co_filename).name}:{line} {code.co_name}"
