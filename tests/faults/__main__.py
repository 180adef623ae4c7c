"""``make faults``: each fault in turn, a line of the table for each; ends with 1 where one does not hold.

``ARGS="file clock"`` takes some of them; all together are also kept in docs/faults.md.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.faults import clock, crowd, database_file, dynamodb, postgresql, providers, workers
from tests.faults.trial import Row
from tests.services.gateway import ROOT

DOCUMENT = ROOT / "docs/faults.md"
MOST_SECONDS = 600

FAULTS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "postgresql": postgresql.faults,
    "dynamodb": dynamodb.faults,
    "file": database_file.faults,
    "providers": providers.faults,
    "workers": workers.faults,
    "clock": clock.faults,
    "crowd": crowd.faults,
}
HEAD = (
    "fault",
    "callers saw",
    "longest wait",
    "sent once",
    "sent under a key",
    "felt after its end",
    "holds",
)


def main(names: Sequence[str]) -> None:
    """Run them, print and keep the table; raises SystemExit with what does not hold."""
    if unknown := set(names) - FAULTS.keys():
        raise SystemExit(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(FAULTS)}")
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(MOST_SECONDS)
    began, rows = time.monotonic(), []
    print("\n".join(_table([])), flush=True)
    for name in names or FAULTS:
        for row in _tried(name):
            print(_line(row), flush=True)
            rows.append(row)
    summary = f"{len(rows)} faults in {time.monotonic() - began:.0f} s on {os.cpu_count()} processors"
    print(f"\n{summary}")
    if not names:
        _keep("\n".join([*_table(rows), "", f"{summary}."]))
    if wrong := [f"{row.fault}: {what}" for row in rows for what in row.faults]:
        raise SystemExit("\n".join(wrong))


def _tried(name: str) -> Iterator[Row]:
    """The rows of one kind; what cannot be tried is a row that does not hold."""
    with tempfile.TemporaryDirectory(prefix="brskills-faults-") as folder:
        try:
            yield from FAULTS[name](Path(folder))
        except Exception as failure:
            traceback.print_exc()
            yield Row(name, faults=[f"{type(failure).__name__}: {failure}"])


def _table(rows: Sequence[Row]) -> list[str]:
    lines = [HEAD, ("---",) * len(HEAD)]
    return [f"| {' | '.join(line)} |" for line in lines] + [_line(row) for row in rows]


def _line(row: Row) -> str:
    holds = "; ".join(row.faults) or "yes"
    cells = (row.fault, row.callers, row.waits, row.plain, row.keyed, row.back, holds)
    return f"| {' | '.join(cells)} |"


def _keep(text: str) -> None:
    old = DOCUMENT.read_text(encoding="utf-8")
    mark = re.compile(r"(<!-- faults -->\n).*?(<!-- /faults -->)", re.DOTALL)
    DOCUMENT.write_text(mark.sub(lambda found: f"{found[1]}{text}\n{found[2]}", old), encoding="utf-8")


def _too_long(*_: object) -> None:
    raise SystemExit(f"not done in {MOST_SECONDS} s")


if __name__ == "__main__":
    main(sys.argv[1:])
