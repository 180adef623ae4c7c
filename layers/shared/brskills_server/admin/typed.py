"""Text that an operator pastes: read from standard input, where no shell expands it."""

import sys

__all__ = ["read_typed"]


def read_typed(name: str) -> str:
    """Return a line of standard input, asked for by its name on a terminal; ``ValueError`` if it is empty."""
    if sys.stdin.isatty():
        print(f"{name}: ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline().strip()
    if not line:
        raise ValueError(f"{name} is expected on standard input")
    return line
