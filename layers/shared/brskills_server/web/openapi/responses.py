"""Responses of an operation: successes, and errors grouped by status."""

from datetime import date
from functools import partial
from typing import Any

from brskills_server.accounts.plans import PLANS
from brskills_server.skills.issues import issue
from brskills_server.web.body import render_place
from brskills_server.web.dates import day_in_words, month_in_words, wait_in_words
from brskills_server.web.openapi.operation import Operation, Response
from brskills_server.web.problem_table import PROBLEMS
from brskills_server.web.problems import Problem, content_of
from brskills_server.webhooks.webhook import MOST_WEBHOOKS


def _header(description: str, kind: str = "string", **more: Any) -> dict[str, Any]:
    return {"description": description, "schema": {"type": kind, **more}}


HEADERS = {
    "X-Request-Id": _header("Identifica a requisição nos logs do serviço.") | {"required": True},
    "X-RateLimit-Limit": _header("Limite mensal de chamadas.", "integer"),
    "X-RateLimit-Remaining": _header("Chamadas restantes no mês.", "integer"),
    "X-RateLimit-Reset": _header("Quando a contagem reinicia, em segundos Unix.", "integer"),
    "RateLimit-Policy": _header("A cota, no formato RateLimit do IETF."),
    "RateLimit": _header("O saldo da cota, no formato RateLimit do IETF."),
    "Retry-After": _header("Segundos a esperar antes de tentar de novo.", "integer"),
    "Idempotency-Replayed": _header(
        "Presente (true) se a requisição já tinha sido contada com a mesma Idempotency-Key.", enum=["true"]
    ),
    "WWW-Authenticate": _header(
        "Onde se autenticar por OAuth (resource_metadata) ou o que falta ao token (error, scope)."
    ),
    "Mcp-Session-Id": _header(
        "Na resposta a initialize de quem declara extensões; envie-o nas mensagens seguintes."
    ),
    "ETag": _header("Validador fraco do cadastro."),
    "X-Ajustes": _header(
        "Ajustes feitos, nos formatos em que não cabem no corpo: campo;motivo, separados por vírgula."
    ),
    "X-Alertas": _header(
        "O que convém conferir, nos formatos em que não cabe no corpo: campo;codigo, como em X-Ajustes."
    ),
}
_CHALLENGES = {"401", "403"}
_OF_TOKENS = {"invalid_token", "insufficient_scope"}  # of MCP alone, which has another form
_EXAMPLE_PARAMETERS: dict[str, dict[str, Any]] = {
    "malformed_json": {"reason": partial(render_place, 1, 9)},
    "quota_exceeded": {
        "limit": 100,
        "month": partial(month_in_words, "2026-11"),
        "resets_at": partial(day_in_words, date(2026, 12, 1)),
    },
    "signup_closed": {"support_contact": ""},
    "signup_limit": {"most": 5, "wait": partial(wait_in_words, 36_000)},
    "sources_unavailable": {"retry_after": 30},
    "watch_limit": {"limit": PLANS["free"].watches},
    "webhook_limit": {"limit": MOST_WEBHOOKS},
    "uncounted_limit": {"wait": partial(wait_in_words, 30)},
}
_EXAMPLE_DETAILS: dict[str, dict[str, Any]] = {
    "company_not_found": {"confirmado": True, "data_base": "2026-10-31"}
}
_REQUEST_ID = "6f1c1a52-0c5e-4a77-9a39-0a6e2f3f3d11"


def responses(operation: Operation) -> dict[str, Any]:
    """Return the ``responses`` member of an operation."""
    found = {
        str(status): _success(response, operation.schemas) for status, response in operation.responses.items()
    }
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys(operation.errors):
        if code.startswith("rpc:"):
            status = code.removeprefix("rpc:")
            found[status] = _rpc_failure("WWW-Authenticate" if status in _CHALLENGES else None)
        else:
            by_status.setdefault(PROBLEMS[code].status, []).append(code)
    found |= {str(status): _failure(status, codes) for status, codes in by_status.items()}
    return dict(sorted(found.items()))


def examples(language: str) -> dict[str, Any]:
    """Return one example by code, as the API renders it in ``pt`` or ``en``."""
    return {
        code: {"summary": kind.texts[language].title, "value": _example(code, language)}
        for code, kind in PROBLEMS.items()
        if ":" not in code and code not in _OF_TOKENS
    }


def _success(response: Response, schemas: str) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if response.model is not None:
        name = schemas + response.model.__name__
        content["application/json"] = {"schema": {"$ref": f"#/components/schemas/{name}"}}
        if response.example is not None:
            content["application/json"]["example"] = response.example
    content |= {media_type: {"schema": schema} for media_type, schema in response.others.items()}
    described = {"description": response.description, "headers": _headers("X-Request-Id", *response.headers)}
    return described | ({"content": content} if content else {})


def _failure(status: int, codes: list[str]) -> dict[str, Any]:
    # The example of each code has its text.
    names = ("X-Request-Id", "Retry-After") if status in {429, 503} else ("X-Request-Id",)
    return {
        "description": ", ".join(codes),
        "headers": _headers(*names),
        "content": {
            "application/problem+json": {
                "schema": {"$ref": "#/components/schemas/ProblemDetails"},
                "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
            }
        },
    }


def _rpc_failure(header: str | None) -> dict[str, Any]:
    return {
        "description": "Um erro do protocolo MCP.",
        "headers": _headers("X-Request-Id", *([header] if header else [])),
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RpcAnswer"}}},
    }


def _headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _example(code: str, language: str) -> dict[str, Any]:
    problem = Problem(
        code,
        parameters=_EXAMPLE_PARAMETERS.get(code, {}),
        details=_EXAMPLE_DETAILS.get(code, {}),
        fields=[issue("nome_recebedor", "required")] if code == "invalid_fields" else [],
    )
    return content_of(problem, _REQUEST_ID, language)
