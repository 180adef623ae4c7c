"""Scenarios on a command line: each runs in a new folder and yields rows of a table."""

import signal
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

Row = TypeVar("Row")


def table_row(cells: Iterable[object]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(map(str, cells))} |"


def table(head: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    return "\n".join(map(table_row, [head, ["---"] * len(head), *rows]))


def run(
    scenarios: Mapping[str, Callable[[Path], Iterator[Row]]],
    names: Sequence[str],
    failed: Callable[[str, str], Row],
    seconds: int,
) -> Iterator[Row]:
    """Yield the rows of the scenarios, or of those named; an exception is a row of ``failed``.

    Raise ``SystemExit`` for an unknown name, and once the ``seconds`` have passed.
    """
    if unknown := set(names) - scenarios.keys():
        raise SystemExit(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(scenarios)}")

    def too_long(*_: object) -> None:
        raise SystemExit(f"not done in {seconds} s")

    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    for name in names or scenarios:
        with tempfile.TemporaryDirectory(prefix="brskills-") as folder:
            try:
                yield from scenarios[name](Path(folder))
            except Exception as failure:
                traceback.print_exc()
                yield failed(name, f"{type(failure).__name__}: {failure}")
    signal.alarm(0)
