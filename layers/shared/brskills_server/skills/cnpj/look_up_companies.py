"""The skill that looks up many companies in one request."""

from __future__ import annotations

from typing import Any

from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.skills.answer_size import is_too_large
from brskills_server.skills.batch import (
    Batch,
    BatchAnswer,
    Results,
    answer_of,
    batch_skill,
    check_item,
    list_issues,
    results_of,
    without_room,
)
from brskills_server.skills.cnpj.look_up_company import AGE_SHAPES, LOOK_UP_COMPANY, absence, unavailable
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.shape import Shape, check_shape
from brskills_server.skills.skill import Call, Endpoint, Model, Texts

_SHAPES = {"cnpjs": Shape(object, required=True), **AGE_SHAPES, "parcial": Shape(bool)}


def _check(content: dict[str, Any]) -> Batch:
    if issues := [*check_shape(_SHAPES, content), *list_issues(content, "cnpjs")]:
        raise InvalidRequest(*issues)
    ages = {name: content[name] for name in AGE_SHAPES if name in content}
    items = [check_item(LOOK_UP_COMPANY, {"cnpj": number, **ages}) for number in content["cnpjs"]]
    counted = {item.prepared for item in items if item.counts}
    return Batch(items, len(counted), content.get("parcial") or False)


def _answer(batch: Batch, call: Call) -> BatchAnswer:
    asked = dict.fromkeys(item.prepared for item in batch.items if item.fault is None)
    counted = dict.fromkeys(item.prepared for item in batch.items if item.counts)
    beyond = set(list(counted)[call.session.calls :])
    found: dict[Any, Any] = dict.fromkeys(beyond, without_room(call)) if beyond else {}
    queries = [query for query in asked if query not in beyond]
    answers = call.find_companies(queries) if queries else []
    failed = 0
    for query, answer in zip(queries, answers, strict=True):
        if isinstance(answer, CompanyNotFound):
            answer = absence(answer, call.session)
        elif isinstance(answer, Exception):
            answer = unavailable(answer) if isinstance(answer, SourcesUnavailable) else answer
            failed += query in counted and not (isinstance(answer, ApiError) and answer.counts)
        found[query] = answer
    outcomes = [item.fault or found[item.prepared] for item in batch.items]
    results = results_of(LOOK_UP_COMPANY, outcomes, call)
    call.session.release(failed + len(_answered_nowhere(batch, results) & counted.keys()))
    return answer_of(results, call)


def _answered_nowhere(batch: Batch, results: Results) -> set[Any]:
    """Return the queries whose answer fits at none of their places."""
    places = list(zip((item.prepared for item in batch.items), results.outcomes, strict=True))
    too_large = {query for query, outcome in places if is_too_large(outcome)}
    return too_large - {query for query, outcome in places if not is_too_large(outcome)}


def _models() -> tuple[Model, Model]:
    from brskills_server.registry.company import Company
    from brskills_server.skills.cnpj.models import CompaniesRequest  # imports pydantic

    return CompaniesRequest, Company


LOOK_UP_COMPANIES = batch_skill(
    name="look_up_companies",
    scope="cnpj",
    texts=Texts(
        title="Consultar várias empresas",
        purpose="Dá os registros de até 100 empresas de uma vez; cada número é respondido como seria sozinho.",
        use="para conferir uma lista de fornecedores ou completar um cadastro.",
        avoid="para uma empresa só (POST /api/v1/skills/cnpj).",
        notes="Um item recusado, ausente sem confirmação ou sem fonte vem com o seu problema e não conta. O que não "
        "chegar em 20 segundos, ou não couber nos 5 MB de uma resposta, é 503 nesse item e não conta. O que o mês ainda permite é tomado em um só passo.",
        english="Look up up to 100 Brazilian companies by CNPJ at once.",
        guide="",
    ),
    models=_models,
    shapes=_SHAPES,
    prepare=_check,
    answer=_answer,
    endpoints=(
        Endpoint("POST", "/api/v1/skills/cnpj/lote", "lookUpCompanies", {
            "sandbox": {"cnpjs": ["SANDBOX1000170", "SANDBOX2000114", "33.000.167/0001-01"]},
        }),
    ),
    uses_external_data=True,
)  # fmt: skip
