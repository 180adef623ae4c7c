"""Operations of the skills, from their declarations."""

from collections.abc import Iterable
from typing import Any

from brskills_server.proofs.proof import MEDIA_TYPE as PROOF_TYPE
from brskills_server.skills.catalogue import BATCHES, ROUTES, SCOPES, SKILLS
from brskills_server.skills.custom import CUSTOM
from brskills_server.skills.skill import BODY_METHODS, NO_CONTENT, Endpoint, Skill
from brskills_server.skills.tool_formats import flat_schema
from brskills_server.web.openapi.models import batch_of
from brskills_server.web.openapi.operation import (
    BODY_ERRORS,
    KEY_ERRORS,
    RATE,
    Body,
    Operation,
    Response,
    parameter,
)
from brskills_server.web.translation import Text

_PROOF = (
    "Com Accept: application/jose, a resposta vem assinada (JWS, ES256; chaves em /.well-known/jwks.json)."
)
_FORMS = "O formato da resposta segue o tipo de maior peso em Accept: JSON, {forms}."
_REMARKS = "Nos outros formatos, o que só cabe no JSON vem em {headers}."
_VALIDATOR = "Com If-None-Match, a resposta é 304 se nada mudou e conta como um 200."
_IF_NONE_MATCH = parameter(
    "header", "If-None-Match", "O ETag de uma resposta anterior: se nada mudou, a resposta é 304.",
    'W/"5d41402abc4b2a76b9719d91"',
)  # fmt: skip
_REPEAT_KEY = parameter(
    "header", "Idempotency-Key",
    "1 a 255 caracteres ASCII visíveis: a mesma requisição, repetida com a mesma chave em 24 horas, é respondida "
    "de novo e contada uma única vez.",
    "0b1f6c4e-7c1d-4f5e-9a40-2f6b1d0c9a55", pattern="^[!-~]{1,255}$",
)  # fmt: skip
_SCHEMA_WORDS = ("type", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "items")


def operations_of(skills: Iterable[Skill]) -> tuple[Operation, ...]:
    """Return an operation for each endpoint."""
    return tuple(_operation(skill, endpoint) for skill in skills for endpoint in skill.endpoints)


def _operation(skill: Skill, endpoint: Endpoint) -> Operation:
    path = endpoint.path.replace("+}", "}")
    takes_body, is_custom = endpoint.method in BODY_METHODS, skill.scope == CUSTOM
    may_repeat = takes_body and not skill.is_free
    parameters = (_REPEAT_KEY,) if may_repeat else _parameters(skill, path, takes_body=takes_body)
    return Operation(
        endpoint.method,
        path,
        id=endpoint.operation,
        tag=SCOPES[skill.scope][0],
        summary=_summary(skill, endpoint),
        description=_description(skill, endpoint),
        responses=_responses(skill, may_repeat=may_repeat),
        errors=_errors(skill, takes_body=takes_body, may_be_missing="{" in path or is_custom),
        body=_body(skill, endpoint) if takes_body else None,
        parameters=(*parameters, _IF_NONE_MATCH) if skill.validator else parameters,
        schemas=f"{skill.name}." if is_custom else "",
    )


def _summary(skill: Skill, endpoint: Endpoint) -> Text:
    if len(skill.endpoints) == 1:
        return skill.texts.title
    return skill.texts.title, "com os dados no corpo" if endpoint.method == "POST" else "com os dados na URL"


def _description(skill: Skill, endpoint: Endpoint) -> Text:
    texts = skill.texts
    parts = [texts.purpose, texts.notes]  # use and avoid are for models, which choose between tools
    if skill.forms:
        parts.append(_FORMS.format(forms=", ".join(skill.forms)))
    if skill.remarks:
        parts.append(_REMARKS.format(headers=" e ".join(skill.remarks)))
    if skill.validator:
        parts.append(_VALIDATOR)
    if skill.is_provable:
        parts.append(_PROOF)
    return *parts, endpoint.note


def _responses(skill: Skill, *, may_repeat: bool) -> dict[int, Response]:
    rates = () if skill.is_free else (*RATE, "Idempotency-Replayed") if may_repeat else RATE
    tag = ("ETag",) if skill.validator else ()
    others = {
        media_type: {"type": "string", "contentMediaType": media_type}
        if media_type == "image/png"
        else {"type": "string"}
        for media_type in (*skill.forms, *([PROOF_TYPE] if skill.is_provable else []))
    }
    model = batch_of(skill.result_model) if skill.outcomes else skill.result_model
    found = {
        status: Response(
            model.__doc__ or "",
            None if status == NO_CONTENT else model,
            example=skill.example,
            headers=(*tag, *skill.remarks, *rates),
            others=others,
        )
        for status in skill.statuses
    }
    if skill.validator:
        found[304] = Response("Nada mudou desde o ETag enviado.", headers=(*tag, *rates))
    return found


def _errors(skill: Skill, *, takes_body: bool, may_be_missing: bool) -> tuple[str, ...]:
    taken = BODY_ERRORS if takes_body else ("invalid_fields",) if skill.request_model.model_fields else ()
    spent = () if skill.is_free else ("quota_exceeded",)
    repeated = ("idempotency_key_reused",) if spent and takes_body else ()
    missing = ("not_found",) if may_be_missing else ()
    # Without a key a custom skill is 404.
    keyed = [code for code in KEY_ERRORS if skill.scope != CUSTOM or code != "missing_api_key"]
    return (*keyed, *taken, *repeated, *spent, *skill.errors, *missing)


def _body(skill: Skill, endpoint: Endpoint) -> Body:
    """Return the body; the model of a request with fields in the path extends the body's by these."""
    model = skill.request_model
    shape = model.__mro__[1] if "{" in endpoint.path else model
    return Body(shape, dict(endpoint.examples), skill.needs_body)


def _parameters(skill: Skill, path: str, *, takes_body: bool) -> tuple[dict[str, Any], ...]:
    """Return the fields of a request as parameters of path and query, without those in the body."""
    if takes_body and "{" not in path:
        return ()
    schema = flat_schema(skill.request_model)
    return tuple(
        {
            "name": name,
            "in": "path" if f"{{{name}}}" in path else "query",
            "required": name in schema["required"],
            "description": field["description"],
            "schema": {word: field[word] for word in _SCHEMA_WORDS if word in field},
            "example": field["examples"][0],
        }
        for name, field in schema["properties"].items()
        if not takes_body or f"{{{name}}}" in path
    )


SKILL_OPERATIONS = operations_of([*SKILLS.values(), *BATCHES.values(), *ROUTES.values()])
