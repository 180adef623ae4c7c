"""The entry point of the process, which imports little: Ctrl-C may arrive before the rest is loaded."""

import os
import sys
from typing import Any, NoReturn


def main() -> NoReturn:
    """Run the command line of this process."""
    try:
        _repair_streams()
        from brskills.command.main import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130  # as `Exit.INTERRUPTED`
    sys.exit(code)


def _repair_streams() -> None:
    """Reopen closed streams, and replace characters and bytes that cannot be coded."""
    for name, mode, errors in (
        ("stdin", "r", "replace"),
        ("stdout", "w", "backslashreplace"),
        ("stderr", "w", "backslashreplace"),
    ):
        stream: Any = getattr(sys, name) or os.fdopen(os.open(os.devnull, os.O_RDWR), mode)
        stream.reconfigure(errors=errors)
        setattr(sys, name, stream)
