"""``brskills-copy``: the builder where it is installed.

Every package of ours has it, and only one of them the packages that the builder alone needs.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """One command; ends with 1 and the reason where it cannot be done."""
    try:
        from brskills_server.snapshot_builder.__main__ import main as run
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed: the package brskills-server-with-copy has it")
    run("brskills-copy")
