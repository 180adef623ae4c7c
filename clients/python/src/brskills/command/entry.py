"""The process's beginning and end. It imports little: Ctrl-C may come before anything else is loaded."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line of this process."""
    try:
        _steady_streams()
        from brskills.command.main import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130  # as ``exits.INTERRUPTED``
    sys.exit(code)


def _steady_streams() -> None:
    """See that every stream is there, where it may be closed, and stops at no character or byte."""
    for name, mode, errors in (
        ("stdin", "r", "replace"),
        ("stdout", "w", "backslashreplace"),
        ("stderr", "w", "backslashreplace"),
    ):
        stream: Any = getattr(sys, name) or os.fdopen(os.open(os.devnull, os.O_RDWR), mode)
        stream.reconfigure(errors=errors)
        setattr(sys, name, stream)
