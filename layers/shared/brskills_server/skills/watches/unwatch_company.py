"""The skill that ends the watch of a company."""

from typing import Any

from brskills_server.skills.account_skill import account_skill
from brskills_server.skills.cnpj.look_up_company import NUMBER_SHAPE
from brskills_server.skills.skill import NO_CONTENT, Call, Endpoint, Model, Texts
from brskills_server.skills.watches.wanted import read_number

SHAPES = {"cnpj": NUMBER_SHAPE}


def read_watched(content: dict[str, Any]) -> str:
    """Return the number of a request. Raise ``InvalidRequest`` with all issues."""
    return read_number(SHAPES, content)


def _answer(cnpj: str, call: Call) -> None:
    call.store.end_watch(call.find_account().id, cnpj)


def _models() -> tuple[Model, Model]:
    from brskills_server.skills.watches.models import Nothing, WatchedRequest  # imports pydantic

    return WatchedRequest, Nothing


UNWATCH_COMPANY = account_skill(
    name="unwatch_company",
    texts=Texts(
        title="Deixar de monitorar uma empresa",
        purpose="Deixa de monitorar uma empresa; o que já mudou nela continua em list_changes.",
        use="quando a empresa não interessa mais.",
        avoid="para trocar a referência dela (watch_companies).",
        notes="Também responde se ela não era monitorada. Não conta como chamada.",
        english="Stop watching a company.",
        guide="""    curl -s -X DELETE {base}/api/v1/watches/SANDBOX1000170 -H "X-API-Key: {key}"

204, also where it was not watched.""",
    ),
    models=_models,
    shapes=SHAPES,
    prepare=read_watched,
    answer=_answer,
    endpoints=(Endpoint("DELETE", "/api/v1/watches/{cnpj+}", "unwatchCompany"),),
    statuses=(NO_CONTENT,),
    status=lambda _: NO_CONTENT,
    effect="ends",
)
