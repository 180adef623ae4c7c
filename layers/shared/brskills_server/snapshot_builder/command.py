"""The console script ``brskills-copy``, also installed by packages without the builder's libraries."""

import sys


def main() -> None:
    """Run one command. Exit with 1 and the reason if it fails."""
    try:
        from brskills_server.snapshot_builder.__main__ import main as run  # imports the builder's libraries
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed: the package brskills-server-with-copy has it")
    run("brskills-copy")
