"""Functions of the template called as by API Gateway, with the requests to AWS that each makes."""

import importlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from botocore.exceptions import ConnectionClosedError

from brskills_server.adapters.stores import AccessStore
from brskills_server.runtime.services import open_services


class Asked(NamedTuple):
    """A request to AWS. ``at``: an item's key, the path of a gateway's resource, or empty."""

    function: str
    action: str
    resource: str
    at: str


class Driver:
    """Calls functions as API Gateway does, each with separate clients."""

    def __init__(self, client: Any, tables: dict[str, str], usage_plans: dict[str, str]) -> None:
        self._client = client
        self._tables = tables
        self._usage_plans = usage_plans
        self._running = ""
        self._away = ""
        self.asked: set[Asked] = set()

    def app(self, function: str) -> Any:
        """Return the module of a function, with separate services as in a separate process."""
        open_services.cache_clear()
        return importlib.import_module(f"functions.{function}.app")

    def run(self, function: str, event: dict[str, Any], context: Any = None) -> Any:
        """Return a function's answer to an event; the requests that it makes are noted as its own."""
        app = self.app(function)
        self._running = function
        try:
            return app.handler(event, context)
        finally:
            self._running = ""

    def send(self, route: str, key: str | None = None, **event: Any) -> dict[str, Any]:
        """Return the answer of a route, ``function METHOD /path``; with a key, after the authorizer."""
        function, method, resource = route.split(" ")
        context = {"requestId": "r", "domainName": "api.example", "path": resource}
        given = {
            "httpMethod": method,
            "resource": resource,
            "path": resource,
            "headers": {},
            "body": None,
            "requestContext": {**context, "identity": {"sourceIp": "192.0.2.1"}},
            **event,
        }
        if key:
            arn = f"arn:aws:execute-api:sa-east-1:123456789012:abc123/v1/{method}{resource}"
            decision = self.run("authorizer", {**given, "methodArn": arn})
            assert "context" in decision, f"the authorizer denied the key of {route}"
            given["requestContext"]["authorizer"] = decision["context"]
        answer: dict[str, Any] = self.run(function, given)
        return answer

    def call(
        self,
        route: str,
        content: Any = None,
        key: str | None = None,
        *,
        authorized: bool = True,
        **event: Any,
    ) -> tuple[int, Any]:
        """Return status and content of a route's answer. ``authorized``: the authorizer checks the key."""
        body = content if isinstance(content, str | None) else json.dumps(content)
        headers = {"X-API-Key": key} if key else {}
        answer = self.send(route, key if authorized else None, **{"headers": headers, "body": body, **event})
        return answer["statusCode"], json.loads(answer["body"] or "null")

    @contextmanager
    def working_as(self, function: str) -> Iterator[AccessStore]:
        """Return the store of a function; what is asked in the block is noted as the function's."""
        store: AccessStore = self.app(function).services.store
        self._running = function
        try:
            yield store
        finally:
            self._running = ""

    @contextmanager
    def without(self, table: str) -> Iterator[None]:
        """Let requests of the functions to a table fail in the block."""
        self._away = self._tables[table]
        try:
            yield
        finally:
            self._away = ""

    def note(self, request: Any) -> None:
        """Note a request to AWS. Raise ``ConnectionClosedError`` if its table is away."""
        if not self._running:
            return
        if self._away and self._away.encode() in (request.body or b""):
            raise ConnectionClosedError(endpoint_url=request.url)
        target = request.headers.get("X-Amz-Target", b"").decode()
        if target.startswith("AmazonSQS."):  # tests/unit/template/test_rights.py lists what queues need
            return
        if not target:
            path = urlsplit(request.url).path
            for name, usage_plan in self._usage_plans.items():
                path = path.replace(usage_plan, f"${{{name}Plan}}")
            self.asked.add(Asked(self._running, f"apigateway:{request.method}", "", path))
            return
        body = json.loads(request.body)
        action = target.rpartition(".")[2]
        for done, what in _parts_of(action, body):
            item = what.get("Key") or what.get("Item") or {"pk": {"S": ""}}
            table = next(name for name, table in self._tables.items() if table == what["TableName"])
            self.asked.add(Asked(self._running, f"dynamodb:{done}", f"{table}Table", item["pk"]["S"]))

    def forget_salt(self) -> None:
        """Delete the month's salt, so that the next function has to create it."""
        scan = self._client.scan(TableName=self._tables["Access"], ProjectionExpression="pk")
        for item in scan["Items"]:
            if item["pk"]["S"].startswith("SALT#"):
                self._client.delete_item(TableName=self._tables["Access"], Key=item)


def _parts_of(action: str, body: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the actions on single items, as IAM names them, with their parameters."""
    if "TransactItems" in body:
        return [(f"{kind}Item", what) for item in body["TransactItems"] for kind, what in item.items()]
    if "RequestItems" in body:
        tables = body["RequestItems"].items()
        if action == "BatchWriteItem":
            return [
                (action, {"TableName": table, **part})
                for table, writes in tables
                for write in writes
                for part in write.values()
            ]
        return [(action, {"TableName": table, "Key": key}) for table, what in tables for key in what["Keys"]]
    if action == "Query":
        return [(action, {**body, "Key": {"pk": body["ExpressionAttributeValues"][":pk"]}})]
    return [(action, body)]
