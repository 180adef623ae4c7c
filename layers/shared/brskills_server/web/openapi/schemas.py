"""The schemas of the document, from the models of its operations."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from brskills_server.web.openapi.operation import Operation


def schemas_of(
    operations: Iterable[Operation], others: Iterable[type[BaseModel]] = (), prefix: str = ""
) -> dict[str, Any]:
    """Return schemas by name, with ``prefix``, of requests, answers and ``others`` as answers."""
    requests: dict[type[BaseModel], None] = {}
    answers: dict[type[BaseModel], None] = dict.fromkeys(others)
    for operation in operations:
        if operation.body is not None and not isinstance(operation.body.shape, dict):
            requests[operation.body.shape] = None
        answers |= {response.model: None for response in operation.responses.values() if response.model}
    template = f"#/components/schemas/{prefix}{{model}}"
    _, taken = models_json_schema([(model, "validation") for model in requests], ref_template=template)
    _, given = models_json_schema([(model, "serialization") for model in answers], ref_template=template)
    requested = {name: _nullable(schema) for name, schema in _tidy(taken["$defs"], open_ended=False).items()}
    answered: dict[str, Any] = _tidy(given["$defs"], open_ended=True)
    return {prefix + name: schema for name, schema in (requested | answered).items()}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a request's schema in which optional fields may be ``null`` too."""
    fields = schema.get("properties", {})
    for name in fields.keys() - set(schema.get("required", ())):
        if "type" in fields[name]:
            fields[name]["type"] = [fields[name]["type"], "null"]
    return schema


def _tidy(schema: Any, *, open_ended: bool) -> Any:
    """Return a schema without pydantic's titles, open where an answer may gain fields within a version."""
    if isinstance(schema, list):
        return [_tidy(part, open_ended=open_ended) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _tidy(value, open_ended=open_ended)
        for name, value in schema.items()
        if not (name == "title" and isinstance(value, str))
        and not (open_ended and name == "additionalProperties" and value is False)
    }
