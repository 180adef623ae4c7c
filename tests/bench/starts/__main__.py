"""Measure cold starts: ``python -m tests.bench.starts`` (``make bench``; Lambda's Python is 3.13).

Each start is a separate process that imports a function from the layers as they are deployed and answers
one event, asking a store on loopback that takes next to no time. What counts is its processor time, system's
and user's, less an empty process's: others on the machine hardly stretch that. The floor is what any function
has that logs by Powertools and has one client of DynamoDB's. All take turns; the table is kept in
docs/evidence/figures.md.

With ``--before`` and another checkout, that one's functions start in turns with this one's, and the table of
both is printed and not kept.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.bench.registry.stored import _store
from tests.bench.starts.events import first_events
from tests.bench.starts.places import PEERS, ROOT, Built, install_peers
from tests.bench.table import keep

HERE = Path(__file__).parent
EMPTY, FLOOR, PEER = "an empty process", "Logger and one client", "FastAPI and Mangum"
KEY = "a new key's first code: authorizer, then pix"
BEFORE = "{}, before"
MADE = """
import boto3
from aws_lambda_powertools import Logger
logger, client = Logger(service="floor"), boto3.client("dynamodb")
"""
ASKED = MADE + 'client.get_item(TableName="Access", Key={"pk": {"S": "NOTHING"}})'
END = "import os; os._exit(0)"  # what Python does at its end no caller of a function waits for
ANSWER = """
import json, sys
from {module} import handler
answer = handler(json.load(open(sys.argv[1], encoding="utf-8")), None)
assert "usageIdentifierKey" in answer or answer["statusCode"] == 200, answer
"""


class Start(NamedTuple):
    """A program, the folders that it imports from, and its first event's file."""

    program: str
    folders: tuple[Path, ...]
    event: str = ""


def main() -> None:
    """Measure, and keep or print."""
    parser = ArgumentParser(prog="python -m tests.bench.starts")
    parser.add_argument("rounds", nargs="?", type=int, default=15)
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="take turns with its functions")
    options = parser.parse_args()
    install_peers()
    built = {"{}": Built(ROOT, "now")}
    if options.before:
        built[BEFORE] = Built(options.before, "before")
    with _store() as endpoint, TemporaryDirectory() as folder:
        os.environ |= {
            "AWS_ENDPOINT_URL_DYNAMODB": endpoint,
            "AWS_ACCESS_KEY_ID": "bench",
            "AWS_SECRET_ACCESS_KEY": "bench",
            "AWS_SESSION_TOKEN": "bench",
            "AWS_DEFAULT_REGION": "sa-east-1",
        }
        ratios, milliseconds = _ratios(_measure(_starts(_write_events(Path(folder)), built), options.rounds))
    head = f"CPython {sys.version.split()[0]}; the floor took {milliseconds:.0f} ms.\n\n"
    if options.before:
        print(head + _both(ratios))
    else:
        keep("starts", head + _table(ratios))


def _write_events(folder: Path) -> dict[str, str]:
    """The file of each row's event."""
    files = {}
    for place, (row, event) in enumerate(first_events().items()):
        file = folder / f"{place}.json"
        file.write_text(json.dumps(event), encoding="utf-8")
        files[row] = str(file)
    return files


def _starts(events: Mapping[str, str], built: Mapping[str, Built]) -> dict[str, Start]:
    """``built``: what is made of a row's name → the functions that start."""
    starts = {EMPTY: Start("pass", ()), FLOOR: Start(MADE, (PEERS,))}
    starts["the same, and one request"] = Start(ASKED, (PEERS,))
    for row, file in events.items():
        for name, functions in built.items():
            program = ANSWER.format(module=functions.handler)
            starts[name.format(row)] = Start(program, functions.folders_of(row.partition(",")[0]), file)
    starts[PEER] = Start(ANSWER.format(module="peer"), (PEERS, HERE), events["pix"])
    return starts


def _measure(starts: Mapping[str, Start], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each start beyond an empty process of the same round."""
    times: dict[str, list[float]] = {name: [] for name in starts}
    for number in range(-1, rounds):  # the first round warms the system's cache of files
        spent = {name: _processor_milliseconds(start) for name, start in starts.items()}
        for name, milliseconds in spent.items() if number >= 0 else ():
            times[name].append(milliseconds - spent[EMPTY])
    return times


def _processor_milliseconds(start: Start) -> float:
    environment = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
    environment |= {"PYTHONPATH": os.pathsep.join(map(str, start.folders)), "PYTHONDONTWRITEBYTECODE": "1"}
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    # -S: no packages but those of the folders
    command = [sys.executable, "-S", "-c", f"{start.program}\n{END}", start.event]
    process = os.posix_spawn(command[0], command, environment, file_actions=quiet)
    _, status, used = os.wait4(process, 0)
    if status:
        raise RuntimeError(f"ended with {os.waitstatus_to_exitcode(status)}: {start.program}")
    return (used.ru_utime + used.ru_stime) * 1000


def _ratios(times: Mapping[str, list[float]]) -> tuple[dict[str, list[float]], float]:
    """The ratios to the floor of the same round, and the floor's milliseconds."""
    ratios = {
        name: [one / floor for one, floor in zip(spent, times[FLOOR], strict=True)]
        for name, spent in times.items()
        if name != EMPTY
    }
    for name in ("{}", BEFORE):
        if name.format("pix") in ratios:
            parts = (ratios[name.format(part)] for part in ("authorizer", "pix"))
            ratios[name.format(KEY)] = [sum(both) for both in zip(*parts, strict=True)]
    return ratios, statistics.median(times[FLOOR])


def _table(ratios: Mapping[str, list[float]]) -> str:
    rows = [f"| {name} | {_said(values)} |" for name, values in ratios.items()]
    return "\n".join(["| start | ratio | middle half |", "| --- | --- | --- |", *rows])


def _both(ratios: Mapping[str, list[float]]) -> str:
    """The starts that there are twice; last, how many times the former start each takes."""
    rows = []
    for name, now in ratios.items():
        if before := ratios.get(BEFORE.format(name)):
            share = statistics.median(one / other for one, other in zip(now, before, strict=True))
            rows.append(f"| {name} | {_said(before)} | {_said(now)} | {share:.2f} |")
    head = ["| start | before | middle half | now | middle half | now / before |", f"|{' --- |' * 6}"]
    return "\n".join([*head, *rows])


def _said(values: list[float]) -> str:
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.2f} | {low:.2f}–{high:.2f}"


if __name__ == "__main__":
    main()
