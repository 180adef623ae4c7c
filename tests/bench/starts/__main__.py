"""Measure cold starts: ``python -m tests.bench.starts`` (``make bench``; Lambda's Python is 3.13).

Each start is a process of its own that imports a function from the layers as they are deployed and answers
one event, asking a store on loopback that takes next to no time. What counts is its processor time, system's
and user's, less an empty process's: others on the machine hardly stretch that. The floor is what any function
has that logs by Powertools and has one client of DynamoDB's. All take turns; the table is kept in
docs/figures.md.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.bench.registry.stored import _store
from tests.bench.starts.events import first_events
from tests.bench.starts.places import FUNCTIONS, LAYER, LAYERS_OF, PEERS, prepare
from tests.bench.table import keep

HERE = Path(__file__).parent
ROUNDS = 15
EMPTY, FLOOR, PEER = "an empty process", "Logger and one client", "FastAPI and Mangum"
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
    """Measure and keep; ``python -m tests.bench.starts 5``: so many rounds."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else ROUNDS
    prepare()
    with _store() as endpoint, TemporaryDirectory() as folder:
        os.environ |= {
            "AWS_ENDPOINT_URL_DYNAMODB": endpoint,
            "AWS_ACCESS_KEY_ID": "bench",
            "AWS_SECRET_ACCESS_KEY": "bench",
            "AWS_SESSION_TOKEN": "bench",
            "AWS_DEFAULT_REGION": "sa-east-1",
        }
        times = _measure(_starts(first_events(), Path(folder)), rounds)
    keep("starts", _table(times))


def _starts(events: Mapping[str, Any], folder: Path) -> dict[str, Start]:
    starts = {EMPTY: Start("pass", ()), FLOOR: Start(MADE, (PEERS,))}
    starts["the same, and one request"] = Start(ASKED, (PEERS,))
    for place, (row, event) in enumerate(events.items()):
        file, name = folder / f"{place}.json", row.partition(",")[0]
        file.write_text(json.dumps(event), encoding="utf-8")
        layers = (LAYER, *filter(None, [LAYERS_OF.get(name)]))
        starts[row] = Start(ANSWER.format(module="wiring.start"), (*layers, FUNCTIONS / name), str(file))
    starts[PEER] = Start(ANSWER.format(module="peer"), (PEERS, HERE), starts["pix"].event)
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


def _table(times: Mapping[str, list[float]]) -> str:
    """Ratios to the floor of the same round: the median, and between which the middle half lies."""
    ratios = {
        name: [one / floor for one, floor in zip(spent, times[FLOOR], strict=True)]
        for name, spent in times.items()
        if name != EMPTY
    }
    key = zip(ratios["authorizer"], ratios["pix"], strict=True)
    ratios["a new key's first code: authorizer, then pix"] = [sum(both) for both in key]
    rows = [f"| {name} | {_said(values)} |" for name, values in ratios.items()]
    milliseconds = statistics.median(times[FLOOR])
    head = [f"CPython {sys.version.split()[0]}; the floor took {milliseconds:.0f} ms.", ""]
    return "\n".join([*head, "| start | ratio | middle half |", "| --- | --- | --- |", *rows])


def _said(values: list[float]) -> str:
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.2f} | {low:.2f}–{high:.2f}"


if __name__ == "__main__":
    main()
