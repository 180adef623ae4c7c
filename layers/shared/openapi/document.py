"""The document, put together once in a process; only the server's address differs between requests."""

from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from openapi.account_operations import ACCOUNT_OPERATIONS
from openapi.models import ProblemDetails, RpcAnswer
from openapi.operation import Body, Operation
from openapi.responses import HEADERS, examples, responses
from openapi.service_operations import SERVICE_OPERATIONS
from openapi.skill_operations import SKILL_OPERATIONS
from skills.catalogue import SCOPES
from wiring.settings import VERSION

__all__ = ["OPERATIONS", "document"]

OPERATIONS = (*SKILL_OPERATIONS, *ACCOUNT_OPERATIONS, *SERVICE_OPERATIONS)

_DESCRIPTION = (
    "Códigos Pix e o cadastro de empresas brasileiras, para agentes de software e clientes REST.\n\n"
    "Comece com `POST /api/v1/keys` (grátis, sem cadastro) e envie a chave em `X-API-Key`. Nomes de campos e "
    "textos são em português; os textos dos erros vêm em inglês com `Accept-Language: en`. Todo erro é "
    "`application/problem+json` com um `code` estável, e lista todos os campos errados de uma vez. Um nome "
    "desconhecido é recusado; `null` vale como ausente. Dentro de `/api/v1` campos podem ser acrescentados, "
    "nunca renomeados nem retirados."
)
_TAGS = {
    **dict(SCOPES.values()),
    "Cobrança": "Assinatura do plano Pro.",
    "Serviço": "Planos e estado.",
    "Agentes": "MCP, ferramentas e descoberta.",
}
_LANGUAGE = {
    "name": "Accept-Language",
    "in": "header",
    "description": "Língua dos textos: pt (padrão) ou en.",
    "schema": {"type": "string"},
    "example": "en",
}


def document(base: str) -> dict[str, Any]:
    """OpenAPI 3.1 with the server at ``base``."""
    made = _made()
    return {"openapi": made["openapi"], "info": made["info"], "servers": [{"url": base or "/"}], **made}


@cache
def _made() -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "brskills",
            "version": VERSION,
            "summary": "Pix e CNPJ para agentes.",
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "security": [{"ApiKey": []}],
        "tags": [{"name": name, "description": described} for name, described in _TAGS.items()],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "ApiKey": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-API-Key",
                    "description": "A chave de POST /api/v1/keys.",
                }
            },
            "parameters": {"AcceptLanguage": _LANGUAGE},
            "headers": HEADERS,
            "examples": examples(),
            "schemas": _schemas(),
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "parameters": [*operation.parameters, {"$ref": "#/components/parameters/AcceptLanguage"}],
    }
    if not operation.requires_key:
        described["security"] = []
    if operation.body is not None:
        described["requestBody"] = _body(operation.body)
    return described | {"responses": responses(operation)}


def _body(body: Body) -> dict[str, Any]:
    schema = (
        body.shape
        if isinstance(body.shape, dict)
        else {"$ref": f"#/components/schemas/{body.shape.__name__}"}
    )
    content: dict[str, Any] = {"schema": schema}
    if body.examples:
        content["examples"] = {name: {"value": value} for name, value in body.examples.items()}
    return {"required": body.required, "content": {"application/json": content}}


def _schemas() -> dict[str, Any]:
    requests: dict[type[BaseModel], None] = {}
    answers: dict[type[BaseModel], None] = {ProblemDetails: None, RpcAnswer: None}
    for operation in OPERATIONS:
        if operation.body is not None and not isinstance(operation.body.shape, dict):
            requests[operation.body.shape] = None
        answers |= {answer.model: None for answer in operation.answers.values() if answer.model}
    template = "#/components/schemas/{model}"
    _, taken = models_json_schema([(model, "validation") for model in requests], ref_template=template)
    _, given = models_json_schema([(model, "serialization") for model in answers], ref_template=template)
    requested = {name: _nullable(schema) for name, schema in _tidy(taken["$defs"], open_ended=False).items()}
    answered: dict[str, Any] = _tidy(given["$defs"], open_ended=True)
    return requested | answered


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """A request's schema, saying that a field which may be left out may be ``null`` too."""
    fields = schema.get("properties", {})
    for name in fields.keys() - set(schema.get("required", ())):
        if "type" in fields[name]:
            fields[name]["type"] = [fields[name]["type"], "null"]
    return schema


def _tidy(schema: Any, *, open_ended: bool) -> Any:
    """Without pydantic's titles; an answer may gain fields within a version, so it is never closed."""
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
