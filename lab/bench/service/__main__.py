"""Measure metering and the Pix handler: ``python -m lab.bench.service``.

Handlers ask a stand-in for DynamoDB that takes next to no time (``lab.bench.registry.canned``), by
turns with a floor: one UpdateItem by botocore as it comes. Kept in evidence/figures.md.
"""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from botocore.session import Session

from lab.bench.figure import Figure
from lab.bench.registry.stored import canned_dynamodb
from lab.bench.table import keep
from lab.bench.timing import by_turns, compared
from tests.services.scenarios import table

ROOT = Path(__file__).parents[3]
ROUNDS = 2000
FLOOR = "one bare UpdateItem"
WHOLE = "the whole Pix handler"


def measure(rounds: int = ROUNDS) -> dict[str, Figure]:
    """Measure and keep."""
    with steps() as calls:
        figures = compared(by_turns(calls, rounds), FLOOR)
    rows = [[name, f"{one.value:.3f}", one.times] for name, one in figures.items()]
    keep("calls", table(["step", "ms at the median", "ratio"], rows))
    return figures


@contextlib.contextmanager
def steps() -> Iterator[dict[str, Callable[[], Any]]]:
    """Yield what is measured, by name; the output of this process is lost meanwhile."""
    with (
        canned_dynamodb(POWERTOOLS_LOG_LEVEL="INFO"),
        Path(os.devnull).open("w") as nowhere,
        contextlib.redirect_stdout(nowhere),
    ):
        yield _calls()


def _calls() -> dict[str, Callable[[], Any]]:
    from brskills_server.accounts.account import Caller
    from brskills_server.adapters.dynamodb.access import DynamoAccess
    from brskills_server.adapters.dynamodb.client import dynamodb_client
    from brskills_server.metering.ledger import Ledger
    from functions.pix import app

    bare: Any = Session().create_client("dynamodb")
    issued = app.services.accounts.open("enterprise")
    caller, _ = app.services.accounts.identify(issued.api_key)
    ledger = Ledger(DynamoAccess(dynamodb_client(), "Access", "Watches"), demo_limit=20)
    event = json.loads((ROOT / "events/pix.json").read_text(encoding="utf-8"))
    event["requestContext"]["authorizer"] = {"account": caller.account, "key": caller.key}
    refused = {**event, "body": "{}"}

    def floor() -> None:
        bare.update_item(
            TableName="Access",
            Key={"pk": {"S": f"ACCOUNT#{caller.account}"}},
            UpdateExpression="ADD #calls :one",
            ExpressionAttributeNames={"#calls": "calls"},
            ExpressionAttributeValues={":one": {"N": "1"}},
            ReturnValues="ALL_NEW",
        )

    return {
        FLOOR: floor,
        "metering (Ledger.reserve)": lambda: ledger.reserve(Caller(caller.account, caller.key)),
        WHOLE: lambda: _answered(app.handler(event, None), 200),
        "a refused Pix request": lambda: _answered(app.handler(refused, None), 422),
    }


def _answered(answer: dict[str, Any], status: int) -> None:
    assert answer["statusCode"] == status, answer


if __name__ == "__main__":
    measure()
