"""Where an exception came from, as a log may tell it: without its message, which may quote a caller."""

import traceback
from pathlib import PurePath
from types import TracebackType

__all__ = ["places_of"]


def places_of(came_by: TracebackType | None) -> list[str]:
    """The calls that led to it, each as ``file:line function``; the outermost first."""
    frames = traceback.extract_tb(came_by)
    return [f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
