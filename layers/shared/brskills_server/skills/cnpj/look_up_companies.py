"""The skill that looks up many companies in one request."""

from typing import Any

from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.query import Query
from brskills_server.skills.batch import FEW_ITEMS, MAX_ITEMS, batch_skill
from brskills_server.skills.cnpj.look_up_company import AGE_SHAPES, LOOK_UP_COMPANY, absence, unavailable
from brskills_server.skills.skill import Call, Endpoint, Model, Skill, Texts


def _answer(queries: list[Any], call: Call) -> list[Any]:
    found = call.find_companies(queries)
    return [_answer_or_error(*pair, call) for pair in zip(queries, found, strict=True)]


def _answer_or_error(query: Query, found: Any, call: Call) -> Any:
    if isinstance(found, CompanyNotFound):
        return absence(found, call.session)
    return unavailable(found, query.freshness) if isinstance(found, SourcesUnavailable) else found


def _models() -> tuple[Model, Model]:
    from brskills_server.registry.company import Company
    from brskills_server.skills.cnpj.models import CompaniesRequest  # imports pydantic

    return CompaniesRequest, Company


def _few_models() -> tuple[Model, Model]:
    from brskills_server.registry.company import Company
    from brskills_server.skills.cnpj.models import FewCompaniesRequest  # imports pydantic

    return FewCompaniesRequest, Company


def _skill(most: int, **declaration: Any) -> Skill:
    """Return the skill for so many companies."""
    return batch_skill(
        LOOK_UP_COMPANY,
        "cnpjs",
        _answer,
        member="cnpj",
        shared=AGE_SHAPES,
        most=most,
        name="look_up_companies",
        texts=Texts(
            title="Consultar várias empresas",
            purpose=f"Retorna os cadastros de até {most} empresas de uma vez; cada número é tratado como em "
            "uma consulta individual.",
            use="para conferir uma lista de fornecedores ou completar um cadastro.",
            avoid="para uma empresa só (look_up_company).",
            notes="Um item recusado, ausente sem confirmação ou sem fonte disponível vem com o seu problema "
            "e não conta. Um item que não chega em 20 segundos ou não cabe nos 5 MB de uma resposta recebe "
            "503 e não conta. As chamadas são descontadas da cota do mês em um só passo.",
            english=f"Look up up to {most} Brazilian companies by CNPJ at once.",
            guide="",
        ),
        **declaration,
    )


LOOK_UP_COMPANIES = _skill(
    MAX_ITEMS,
    models=_models,
    endpoints=(
        Endpoint("POST", "/api/v1/skills/cnpj/lote", "lookUpCompanies", {
            "sandbox": {"cnpjs": ["SANDBOX1000170", "SANDBOX2000114", "33.000.167/0001-01"]},
        }),
    ),
)  # fmt: skip

FEW_COMPANIES = _skill(FEW_ITEMS, models=_few_models, endpoints=())
"""The same as a tool."""
