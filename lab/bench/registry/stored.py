"""The time of a stored answer: the whole handler beside the floor, a bare GetItem and UpdateItem by botocore.

Both call the same stand-in for DynamoDB (see ``canned``), in turns. For a company of the snapshot the handler
counts the call and reads no item; a batch has a hundred stored companies.
"""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from botocore.session import Session

from lab.bench.figure import Figure
from lab.bench.timing import by_turns, compared
from tests.register.copy_file import write_copy
from tests.simulator.companies import company, numbers

NUMBER = "33000167000101"
COPIED = "11222333000181"
BATCH = numbers("11444777", 100)
ROUNDS = 500
EVENT = Path(__file__).parents[3] / "events" / "cnpj.json"

Handler = Callable[[dict[str, Any], Any], Any]


def measure(rounds: int = ROUNDS) -> dict[str, Figure]:
    """Return the figures of floor, a stored company, one of the snapshot, and a batch."""
    with steps() as calls:
        return compared(by_turns(calls, rounds), "floor")


@contextlib.contextmanager
def steps() -> Iterator[dict[str, Callable[[], None]]]:
    """Yield what is measured, by name; the output of this process is lost meanwhile."""
    with (
        TemporaryDirectory() as folder,
        canned_dynamodb(REGISTRY_COPY=folder),
        Path(os.devnull).open("w") as nowhere,
        contextlib.redirect_stdout(nowhere),
    ):
        write_copy(Path(folder), [company(COPIED)], date(2026, 9, 12))
        floor, whole, event = _handlers()
        yield {
            "floor": _step(floor, event(NUMBER), NUMBER),
            "stored": _step(whole, event(NUMBER), NUMBER),
            "snapshot": _step(whole, event(COPIED), COPIED),
            "batch": _step(whole, _batch_of(event(NUMBER)), BATCH[-1]),
        }


def _batch_of(event: dict[str, Any]) -> dict[str, Any]:
    """Return a single look-up's event as one for the batch."""
    path = "/api/v1/skills/cnpj/lote"
    event["requestContext"] |= {"httpMethod": "POST", "resourcePath": path}
    headers = {**(event.get("headers") or {}), "Content-Type": "application/json"}
    return event | {
        "path": path,
        "resource": path,
        "httpMethod": "POST",
        "pathParameters": None,
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "body": json.dumps({"cnpjs": BATCH}),
    }


def _handlers() -> tuple[Handler, Handler, Callable[[str], dict[str, Any]]]:
    """Return the floor, the handler, and a function that makes events. Imports read the environment here."""
    from brskills_server.accounts.api_key import digest
    from brskills_server.adapters.dynamodb.client import dynamodb_client
    from brskills_server.adapters.dynamodb.companies import DynamoCompanies
    from brskills_server.registry.cache.entries import StoredCompany
    from brskills_server.registry.company import Record
    from functions.cnpj import app
    from tests.simulator.companies import DATA

    bare: Any = Session().create_client("dynamodb")
    record = Record.model_validate_json((DATA / "expected/brasilapi/petrobras_2026-10-08.json").read_bytes())
    now = int(time.time())
    store = DynamoCompanies(dynamodb_client(), "Companies")
    for number in (NUMBER, *BATCH):
        of_number = record.model_copy(update={"cnpj": number})
        store.save(number, StoredCompany(of_number.model_dump_json(), now).to_fields(), now + 86_400)

    account = app.services.accounts.open("enterprise")
    authorizer = {"account": account.account, "key": digest(account.api_key)}

    def event(number: str) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(EVENT.read_text(encoding="utf-8"))
        made |= {"path": f"/api/v1/skills/cnpj/{number}", "pathParameters": {"cnpj": number}}
        made["requestContext"]["authorizer"] = authorizer
        return made

    def floor(_event: dict[str, Any], _context: Any) -> dict[str, Any]:
        item = bare.get_item(TableName="Companies", Key={"pk": {"S": f"COMPANY#{NUMBER}"}})
        bare.update_item(
            TableName="Access",
            Key={"pk": {"S": f"ACCOUNT#{account.account}"}},
            UpdateExpression="ADD #calls :one",
            ExpressionAttributeNames={"#calls": "calls"},
            ExpressionAttributeValues={":one": {"N": "1"}},
        )
        return {"statusCode": 200, "headers": {}, "body": item["Item"]["record"]["S"]}

    return floor, app.handler, event


def _step(handler: Handler, event: dict[str, Any], number: str) -> Callable[[], None]:
    def run() -> None:
        answer = handler(event, None)
        assert answer["statusCode"] == 200, answer
        assert number in answer["body"]

    return run


@contextlib.contextmanager
def canned_dynamodb(**settings: str) -> Iterator[None]:
    """Have the handlers of this process use a stand-in for DynamoDB, with these settings."""
    with _store() as endpoint:
        os.environ |= {
            "AWS_ENDPOINT_URL_DYNAMODB": endpoint,
            "AWS_ACCESS_KEY_ID": "bench",
            "AWS_SECRET_ACCESS_KEY": "bench",
            "AWS_DEFAULT_REGION": "sa-east-1",
            **settings,
        }
        yield


@contextlib.contextmanager
def _store() -> Iterator[str]:
    command = [sys.executable, "-m", "lab.bench.registry.canned"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        process.stdin.close()
