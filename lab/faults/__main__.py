"""``make faults``: each fault in turn, with a row of the table for each; exit code 1 if one does not hold.

``ARGS="file clock"`` selects some; all together are also kept in docs/evidence/faults.md.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lab.bench.table import keep
from lab.faults import clock, crowd, processes, stores
from lab.faults.trial import Row
from tests.services import scenarios
from tests.services.gateway import ROOT

MOST_SECONDS = 600
FAULTS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "postgresql": stores.postgresql,
    "dynamodb": stores.dynamodb,
    "file": stores.file,
    "providers": processes.providers,
    "workers": processes.workers,
    "clock": clock.faults,
    "crowd": crowd.faults,
}
HEAD = ("fault", "callers saw", "longest waits", "sent once")


def main() -> None:
    """Run the faults, print and keep the table. Raise ``SystemExit`` with what does not hold."""
    names = sys.argv[1:]
    began, rows = time.monotonic(), []
    print(scenarios.table(HEAD, []), flush=True)
    for row in scenarios.run(FAULTS, names, lambda name, error: Row(name, faults=[error]), MOST_SECONDS):
        print(scenarios.table_row(row.cells), flush=True)
        rows.append(row)
    summary = f"{len(rows)} faults in {time.monotonic() - began:.0f} s on {os.cpu_count()} processors"
    print(f"\n{summary}")
    if not names:
        table = scenarios.table(HEAD, (row.cells for row in rows))
        keep("faults", f"{table}\n\n{summary}.", ROOT / "docs/evidence/faults.md")
    if wrong := [f"{row.fault}: {what}" for row in rows for what in row.faults]:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
