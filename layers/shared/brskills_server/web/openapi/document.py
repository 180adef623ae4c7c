"""The OpenAPI document, built once per process and language, with what differs by request added."""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from brskills_server.runtime.features import Features
from brskills_server.runtime.settings import VERSION, Settings
from brskills_server.skills.catalogue import SCOPES
from brskills_server.skills.custom import CUSTOM
from brskills_server.skills.skill import Skill
from brskills_server.web.openapi.account_operations import ACCOUNT_OPERATIONS
from brskills_server.web.openapi.models import ProblemDetails, RpcAnswer
from brskills_server.web.openapi.operation import Body, Operation, parameter
from brskills_server.web.openapi.responses import HEADERS, examples, responses
from brskills_server.web.openapi.schemas import schemas_of
from brskills_server.web.openapi.service_operations import SERVICE_OPERATIONS
from brskills_server.web.openapi.skill_operations import SKILL_OPERATIONS, operations_of
from brskills_server.web.translation import translated

OPERATIONS = (*SKILL_OPERATIONS, *ACCOUNT_OPERATIONS, *SERVICE_OPERATIONS)

_DESCRIPTION = (
    "Códigos Pix e o cadastro de empresas brasileiras, para agentes de software e clientes REST.\n\n"
    "{{#signups}}Comece com `POST /api/v1/keys` (grátis, sem cadastro) e envie a chave{{else}}Peça uma chave "
    "ao operador deste serviço e envie-a{{/signups}} em `X-API-Key`. Nomes de campos e textos estão em "
    "português; este documento e os textos dos erros vêm em inglês com `Accept-Language: en`. Todo erro é "
    "`application/problem+json` com um `code` estável e lista todos os campos inválidos de uma vez. Nomes "
    "desconhecidos são recusados; `null` equivale a ausente. O corpo é JSON em UTF-8, sem compressão. `HEAD` "
    "funciona em toda rota GET sem chave. Em `/api/v1`, campos podem ser adicionados, nunca renomeados ou "
    "removidos."
)
_KEY = (
    "A chave {{#signups}}criada em POST /api/v1/keys"
    "{{else}}fornecida pelo operador deste serviço{{/signups}}."
)
_TAGS = {
    **dict(texts for scope, texts in SCOPES.items() if scope != CUSTOM),
    "Cobrança": "Assinatura do plano Pro.",
    "Serviço": "Planos e status.",
    "Agentes": "MCP, ferramentas e descoberta.",
}
_LANGUAGE = parameter("header", "Accept-Language", "Idioma dos textos: pt (padrão) ou en.", "en")


def document(
    base: str, settings: Settings, own: Iterable[Skill] = (), language: str = "pt"
) -> dict[str, Any]:
    """Return OpenAPI 3.1 with the server at ``base`` and a caller's ``own`` custom skills.

    ``language``: of texts and tag names, ``pt`` or ``en``. Without self-service sign-up, the operation that
    creates a key is left out.
    """
    made = _made(settings.features, language)
    made = {**made, "info": made["info"] | _own_pages(settings)}
    for skill in own:
        made = _with(made, skill, language)
    return {"openapi": made["openapi"], "info": made["info"], "servers": [{"url": base or "/"}], **made}


def _own_pages(settings: Settings) -> dict[str, Any]:
    named = {"url": settings.support_url, "email": settings.contact_email}
    contact = {name: value for name, value in named.items() if value}
    return ({"contact": contact} if contact else {}) | (
        {"termsOfService": settings.terms_url} if settings.terms_url else {}
    )


def _with(made: dict[str, Any], skill: Skill, language: str) -> dict[str, Any]:
    """Return the document with another custom skill; the texts of its models are not translated."""
    operations = operations_of([skill])
    schemas = schemas_of(operations, prefix=operations[0].schemas)
    added = translated({"tags": [_tag(*SCOPES[CUSTOM])], "paths": _paths(operations)}, language)
    parts, tags = made["components"], made["tags"]
    return {
        **made,
        "tags": tags if added["tags"][0] in tags else [*tags, *added["tags"]],
        "paths": {**made["paths"], **added["paths"]},
        "components": {**parts, "schemas": {**parts["schemas"], **schemas}},
    }


@cache
def _made(offers: Features, language: str) -> dict[str, Any]:
    operations = [operation for operation in OPERATIONS if offers.signups or operation.id != "createApiKey"]
    made = {
        "openapi": "3.1.0",
        "info": {
            "title": "brskills",
            "version": VERSION,
            "summary": "Pix e CNPJ para agentes.",
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "security": [{"ApiKey": []}],
        "tags": [_tag(name, described) for name, described in _TAGS.items()],
        "paths": _paths(operations),
        "components": {
            "securitySchemes": {
                "ApiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": _KEY}
            },
            "parameters": {"AcceptLanguage": _LANGUAGE},
            "headers": HEADERS,
            "examples": examples(language),
            "schemas": schemas_of(operations, others=(ProblemDetails, RpcAnswer)),
        },
    }
    chosen: dict[str, Any] = json.loads(offers.render(json.dumps(translated(made, language))))
    return chosen


def _tag(name: str, described: str) -> dict[str, str]:
    return {"name": name, "description": described}


def _paths(operations: Iterable[Operation]) -> dict[str, dict[str, Any]]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return paths


def _operation(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "parameters": [*operation.parameters, {"$ref": "#/components/parameters/AcceptLanguage"}],
    }
    if "invalid_api_key" not in operation.errors:
        described["security"] = []
    if operation.body is not None:
        described["requestBody"] = _body(operation.body, operation.schemas)
    return described | {"responses": responses(operation)}


def _body(body: Body, schemas: str) -> dict[str, Any]:
    schema = (
        body.shape
        if isinstance(body.shape, dict)
        else {"$ref": f"#/components/schemas/{schemas}{body.shape.__name__}"}
    )
    content: dict[str, Any] = {"schema": schema}
    if body.examples:
        content["examples"] = {name: {"value": value} for name, value in body.examples.items()}
    return {"required": body.required, "content": {"application/json": content}}
