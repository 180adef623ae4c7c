"""The processes that are started: a function of a checkout, an empty one, the floor, and the peer."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from lab.bench.registry.stored import canned_dynamodb
from lab.bench.starts.events import first_events
from lab.bench.starts.places import PEERS, Built

HERE = Path(__file__).parent
EMPTY, FLOOR, PEER = "an empty process", "Logger and one client", "FastAPI and Mangum"
REQUEST = "the same, and one request"
MADE = """
import boto3
from aws_lambda_powertools import Logger
logger, client = Logger(service="floor"), boto3.client("dynamodb")
"""
ASKED = MADE + 'client.get_item(TableName="Access", Key={"pk": {"S": "NOTHING"}})'
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

    def command(self, end: str) -> list[str]:
        """Return what is executed; ``end``: what the program does after its answer."""
        # -S: no packages but those of the folders
        return [sys.executable, "-S", "-c", f"{self.program}\n{end}", self.event]

    def environment(self) -> dict[str, str]:
        found = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
        folders = os.pathsep.join(map(str, self.folders))
        return found | {"PYTHONPATH": folders, "PYTHONDONTWRITEBYTECODE": "1"}


@contextmanager
def starts(built: Mapping[str, Built]) -> Iterator[dict[str, Start]]:
    """Yield every start, whose store answers meanwhile. ``built``: by what is made of a row's name."""
    with canned_dynamodb(AWS_SESSION_TOKEN="bench"), TemporaryDirectory() as folder:
        events = _write_events(Path(folder))
        found = {EMPTY: Start("pass", ()), FLOOR: Start(MADE, (PEERS,))}
        found[REQUEST] = Start(ASKED, (PEERS,))
        for row, file in events.items():
            for name, functions in built.items():
                program = ANSWER.format(module=functions.handler)
                found[name.format(row)] = Start(program, functions.folders_of(row.partition(",")[0]), file)
        found[PEER] = Start(ANSWER.format(module="peer"), (PEERS, HERE), events["pix"])
        yield found


def _write_events(folder: Path) -> dict[str, str]:
    """Return the file of each row's event."""
    files = {}
    for place, (row, event) in enumerate(first_events().items()):
        file = folder / f"{place}.json"
        file.write_text(json.dumps(event), encoding="utf-8")
        files[row] = str(file)
    return files
