"""``brskills lote``: the companies or Pix codes of a table."""

from pathlib import Path
from typing import Any

from brskills.command.errors import Exit
from brskills.command.shell import Shell


def process_table(shell: Shell, source: Path, **options: Any) -> Exit:
    """Write a CSV file with the answers to all rows of a table."""
    from brskills.lote.options import Options
    from brskills.lote.run import run  # loads httpx and asyncio, which no help needs

    return run(shell, source, Options(**options))
