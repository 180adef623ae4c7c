"""Measure cold starts: ``python -m lab.bench.starts`` (``make bench``; Lambda's Python is 3.13).

Each start is a separate process that imports a function from the layers as they are deployed and answers
one event, asking a store on loopback that takes next to no time. What counts is its processor time, system's
and user's, less an empty process's: others on the machine hardly stretch that. The floor is what any function
has that logs by Powertools and has one client of DynamoDB's. All take turns; the table is kept in
docs/evidence/figures.md. Memory is what is resident after the answer.

With ``--before`` and another checkout, that one's functions start in turns with this one's, and the table of
both is printed and not kept.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path

from lab.bench.figure import Figure
from lab.bench.starts.places import ROOT, Built, install_peers
from lab.bench.starts.start import EMPTY, FLOOR, PEER, REQUEST, Start, starts
from lab.bench.table import keep
from lab.bench.timing import compared, ratio
from tests.services.processes import memory
from tests.services.scenarios import table

ROUNDS = 15
KEY = "a new key's first code: authorizer, then pix"
BEFORE = "{}, before"
END = "import os; os._exit(0)"  # what Python does at its end no caller of a function waits for
ANSWERED = "answered"
WAIT = f'import sys; print("{ANSWERED}", flush=True); sys.stdin.read()'
HEAD = ["start", "ratio", "middle half"]

Times = Mapping[str, list[float]]


def main() -> None:
    """Measure, and keep or print."""
    parser = ArgumentParser(prog="python -m lab.bench.starts")
    parser.add_argument("rounds", nargs="?", type=int, default=ROUNDS)
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="take turns with its functions")
    options = parser.parse_args()
    if options.before:
        built = {"{}": Built(ROOT, "now"), BEFORE: Built(options.before, "before")}
        times, _ = _measure(built, options.rounds)
        print(_head(times), _both(times), sep="\n\n")
    else:
        measure(options.rounds)


def measure(rounds: int = ROUNDS) -> dict[str, Figure]:
    """Measure and keep; the peer has no ratio."""
    times, used = _measure({"{}": Built(ROOT, "now")}, rounds)
    figures = compared(times, FLOOR)
    ours = [value for name, value in used.items() if name not in {FLOOR, PEER}]
    said = f" Functions have {min(ours):.0f} to {max(ours):.0f} MB then, the peer {used[PEER]:.0f}.\n\n"
    rows = [[name, *_cells(one)] for name, one in figures.items()]
    keep("starts", _head(times) + said + table(HEAD, rows))
    figures[PEER] = figures[PEER]._replace(ratio=None)
    return figures | {f"{name}, MB": Figure(value, "MB") for name, value in used.items()}


def _measure(built: Mapping[str, Built], rounds: int) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Return milliseconds of each start beyond an empty process of the same round, and its memory in MB."""
    install_peers()
    times: dict[str, list[float]] = {}
    with starts(built) as found:
        for number in range(-1, rounds):  # the first round warms the system's cache of files
            spent = {name: _processor_milliseconds(start) for name, start in found.items()}
            for name, milliseconds in spent.items() if number >= 0 else ():
                times.setdefault(name, []).append(milliseconds - spent[EMPTY])
        used = {name: _memory_of(start) for name, start in found.items() if name not in {EMPTY, REQUEST}}
    del times[EMPTY]
    for name in built:
        parts = (times[name.format(part)] for part in ("authorizer", "pix"))
        times[name.format(KEY)] = [sum(both) for both in zip(*parts, strict=True)]
    return times, used


def _memory_of(start: Start) -> float:
    with subprocess.Popen(
        start.command(WAIT), env=start.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        if ANSWERED not in map(str.rstrip, process.stdout):  # behind lines of the log
            raise RuntimeError(f"ended before its answer: {start.program}")
        return memory(process.pid)


def _processor_milliseconds(start: Start) -> float:
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    command = start.command(END)
    process = os.posix_spawn(command[0], command, start.environment(), file_actions=quiet)
    _, status, used = os.wait4(process, 0)
    if status:
        raise RuntimeError(f"ended with {os.waitstatus_to_exitcode(status)}: {start.program}")
    return (used.ru_utime + used.ru_stime) * 1000


def _head(times: Times) -> str:
    floor = statistics.median(times[FLOOR])
    return f"CPython {sys.version.split()[0]}; the floor took {floor:.0f} ms."


def _both(times: Times) -> str:
    """Return the starts that there are twice; last, how many times the former start each takes."""
    figures = compared(times, FLOOR)
    rows = []
    for name, now in times.items():
        if before := times.get(BEFORE.format(name)):
            cells = _cells(figures[BEFORE.format(name)]) + _cells(figures[name])
            rows.append([name, *cells, f"{ratio(now, before).middle:.2f}"])
    return table(["start", "before", "middle half", "now", "middle half", "now / before"], rows)


def _cells(figure: Figure) -> list[str]:
    low, middle, high = figure.ratio or (1.0, 1.0, 1.0)
    return [f"{middle:.2f}", f"{low:.2f}–{high:.2f}"]


if __name__ == "__main__":
    main()
