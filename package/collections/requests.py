"""The requests of the OpenAPI document, each with the examples that it gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from brskills_server.runtime.settings import Settings
from brskills_server.web.openapi.document import document

BASE = "http://127.0.0.1:8000"
KEY_HEADER = "X-API-Key"
_JSON = "application/json"
_LEFT_OUT = {
    "createCheckout", "endGrant", "openBillingPortal", "receiveBillingEvent", "revokeApiKey", "rotateApiKey",
}  # fmt: skip
"""What ends a key, a grant or a subscription: a collection is often run as a whole."""


class Request(NamedTuple):
    """One request; ``path`` has its parameters filled in.

    ``query_options`` and ``header_options``: what may be sent besides, with example values.
    ``examples``: JSON bodies by name, the one to send first; empty without a body.
    """

    id: str
    title: str
    tag: str
    method: str
    path: str
    needs_key: bool
    examples: dict[str, Any]
    query_options: dict[str, str]
    header_options: dict[str, str]

    @property
    def body(self) -> Any:
        """The JSON value to send, ``None`` without one."""
        return next(iter(self.examples.values()), None)

    @property
    def headers(self) -> dict[str, str]:
        """The headers to send, with the key as a variable."""
        key = {KEY_HEADER: "{{api_key}}"} if self.needs_key else {}
        return key | ({"Content-Type": _JSON} if self.examples else {})


def requests() -> list[Request]:
    """Return one request for each operation, with its first example, in the order of the document's tags."""
    made = document(BASE, Settings.from_environment({}))
    tags = [tag["name"] for tag in made["tags"]]
    return sorted(_requests(made), key=lambda request: tags.index(request.tag))


def _requests(made: dict[str, Any]) -> Iterator[Request]:
    for path, operations in made["paths"].items():
        for method, operation in operations.items():
            if operation["operationId"] not in _LEFT_OUT:
                yield _request(made, path, method, operation)


def _request(made: dict[str, Any], path: str, method: str, operation: dict[str, Any]) -> Request:
    values: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}}
    for parameter in operation.get("parameters", []):
        if "$ref" in parameter:
            parameter = made["components"]["parameters"][parameter["$ref"].rpartition("/")[2]]
        example = parameter["example"]
        values[parameter["in"]][parameter["name"]] = (
            ",".join(example) if isinstance(example, list) else str(example)
        )
    values["header"].pop(KEY_HEADER, None)
    return Request(
        id=operation["operationId"],
        title=operation["summary"],
        tag=operation["tags"][0],
        method=method.upper(),
        path=path.format_map(values["path"]),
        needs_key=bool(operation.get("security", made["security"])),
        examples=_examples(operation.get("requestBody")),
        query_options=values["query"],
        header_options=values["header"],
    )


def _examples(body: dict[str, Any] | None) -> dict[str, Any]:
    examples = body["content"][_JSON]["examples"] if body else {}
    return {name: example["value"] for name, example in examples.items()}
